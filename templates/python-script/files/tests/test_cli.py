import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from app.cli import build_parser, main


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.file = Path(self.directory.name) / "text.txt"
        self.file.write_text("to be or not to be\n", encoding="utf-8")

    def test_counts_are_written_as_lines(self):
        out = io.StringIO()
        self.assertEqual(main(["--top", "2", str(self.file)], out), 0)
        self.assertEqual(out.getvalue(), "     2 be\n     2 to\n")

    def test_counts_are_written_as_json(self):
        out = io.StringIO()
        self.assertEqual(main(["--json", "--top", "1", str(self.file)], out), 0)
        self.assertEqual(json.loads(out.getvalue()), [{"word": "be", "count": 2}])

    def test_a_missing_file_is_said_on_the_error_output(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(main([str(self.file) + ".none"], io.StringIO()), 1)
        self.assertIn("No such file", errors.getvalue())

    def test_a_number_below_one_is_refused(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            main(["--top", "0", str(self.file)])

    def test_the_help_says_what_it_is(self):
        self.assertIn("FILE", build_parser().format_help())


if __name__ == "__main__":
    unittest.main()
