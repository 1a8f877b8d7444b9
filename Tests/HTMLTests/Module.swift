// Tests come with the parts of it.
