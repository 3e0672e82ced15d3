import unittest

from app.words import count_words, most_common


class CountWords(unittest.TestCase):
    def test_case_does_not_matter(self):
        self.assertEqual(count_words(["One one ONE two"]), {"one": 3, "two": 1})

    def test_words_of_any_language_count_and_numbers_do_not(self):
        self.assertEqual(count_words(["Straße naïve don't 42"]), {"strasse": 1, "naïve": 1, "don't": 1})

    def test_the_same_count_is_in_alphabetical_order(self):
        self.assertEqual(most_common(count_words(["b a c c"]), 2), [("c", 2), ("a", 1)])


if __name__ == "__main__":
    unittest.main()
