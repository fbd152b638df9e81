"""Never looked at: the test puts a link to a file of the grader in this file's place."""
