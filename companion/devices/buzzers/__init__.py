"""The seats' buzzers: sources that read their lines, and the watch over them."""
