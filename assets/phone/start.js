// Says so where the code of the page does not run. It is no module and no new syntax: old browsers run this.

addEventListener("load", function () {
  if (!document.body.dataset.runs) document.getElementById("old").hidden = false;
});
