"""The seats' buzzers: several ways to read their lines, one interface, one place that watches over them."""
