// Sources come with the parts of it.
