import sax from 'sax';
import { createPace } from '../../foundation/concurrency/pace.ts';
import { lineOf, type Said } from './workflow-commands.ts';

/**
 * The most failures that are read. They are more than the annotations of a run, because not every failure names a file
 * of the project.
 */
const maxFailures = 500;
const maxDepth = 32;
const longestText = 16_384;
/** The number of characters that are parsed before others get a turn. */
const atOnce = 32_768;

type Case = { name: string; className: string; file: string | undefined; line: string | undefined };
type Failure = Case & { message: string; text: string };

/** Converts the name of a file to its path in the tree. Null if the tree has no such file. */
export type PathOf = (named: string) => string | null;

/**
 * The failed test cases of a JUnit report that name a file of the tree, either by attributes of the case, or by the
 * first `file:line` in the text. Only the entities of XML itself are allowed, and declarations have no effect. If a
 * report ends early, everything before its end counts.
 */
export async function failuresIn(
  xml: string,
  { pathOf, onProblem }: { pathOf: PathOf; onProblem: (problem: string) => void },
): Promise<Said[]> {
  const failures: Failure[] = [];
  const parser = sax.parser(true, { trim: false, normalize: false, position: false });
  let problem: string | null = null;
  let depth = 0;
  let suiteFile: string | undefined;
  let inCase: Case | null = null;
  let open: Failure | null = null;
  parser.onerror = () => {
    problem ??= 'is not well-formed XML';
  };
  parser.onopentag = ({ name, attributes }) => {
    const given = attributes as Record<string, string | undefined>;
    if (++depth > maxDepth) problem ??= `has more than ${maxDepth} levels`;
    if (name === 'testsuite') suiteFile = given.file;
    if (name === 'testcase') {
      const file = given.file ?? suiteFile;
      inCase = { name: given.name ?? '', className: given.classname ?? '', file, line: given.line };
    }
    if ((name === 'failure' || name === 'error') && inCase) {
      open = { ...inCase, message: given.message ?? '', text: '' };
      if (failures.length < maxFailures) failures.push(open);
    }
  };
  const addText = (text: string) => {
    if (open && open.text.length < longestText) open.text += text.slice(0, longestText - open.text.length);
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = (name) => {
    depth--;
    if (name === 'testcase') inCase = null;
    if (name === 'failure' || name === 'error') open = null;
  };
  const { maybeYield } = createPace();
  for (let from = 0; from < xml.length && problem === null; from += atOnce) {
    parser.write(xml.slice(from, from + atOnce));
    await maybeYield();
  }
  if (problem !== null) onProblem(problem);
  const said: Said[] = [];
  for (const failure of failures) {
    said.push(...saidBy(failure, pathOf));
    await maybeYield();
  }
  return said;
}

type Place = { path: string; line: number };

function saidBy({ name, className, file, line, message, text }: Failure, pathOf: PathOf): Said[] {
  const place = placeOf({ file, line, text }, pathOf);
  if (!place) return [];
  const title = `${className === '' || className === file ? '' : `${className}: `}${name}`;
  const words = [message.trim(), text.trim()].filter((part, at, all) => part !== '' && all.indexOf(part) === at);
  return [
    {
      path: place.path,
      start_line: place.line,
      end_line: place.line,
      annotation_level: 'failure',
      title: title
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, 255)
        .toWellFormed(),
      message: words.join('\n') || 'The test failed',
    },
  ];
}

/**
 * The place of a failure. Its line is that of the attribute, or otherwise the first one that the text gives for the
 * file.
 */
function placeOf({ file, line, text }: Pick<Failure, 'file' | 'line' | 'text'>, pathOf: PathOf): Place | null {
  const own = file === undefined ? null : pathOf(file);
  if (own === null) return first(placesIn(text), ({ path }) => pathOf(path) !== null);
  const known = lineOf(line);
  if (known !== null) return { path: own, line: known };
  return { path: own, line: first(placesIn(text), ({ path }) => pathOf(path) === own)?.line ?? 1 };
}

function first(places: Iterable<Place>, isWanted: (place: Place) => boolean): Place | null {
  for (const place of places) if (isWanted(place)) return place;
  return null;
}

const longestPath = 1_024;
const ofPath = /[\p{L}\p{N}_@.+/-]/u;

/**
 * Finds texts such as `src/a.ts:12`. Each path is read backwards from its colon, so every character is read about once.
 */
function* placesIn(text: string): Generator<Place> {
  for (const { index, 1: digits } of text.matchAll(/:(\d{1,8})/g)) {
    let from = index;
    while (from > 0 && index - from < longestPath && ofPath.test(text.charAt(from - 1))) from--;
    const line = lineOf(digits);
    if (from < index && line !== null) yield { path: text.slice(from, index), line };
  }
}
