This is a letter, and no program at all.
Dear compiler, how are you? "I am well.
