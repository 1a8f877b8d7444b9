print("sbfs-bench")
