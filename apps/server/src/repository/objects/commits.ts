import { CommitError, readHeaders, readSha, requireHeader, textReader, unfold } from './object-headers.ts';
import type { ObjectType } from './objects.ts';
import { decodePerson, encodePerson, type Person } from './persons.ts';

export type Commit = {
  tree: Buffer;
  parents: readonly Buffer[];
  author: Person;
  committer: Person;
  message: string;
};

export type DecodedCommit = {
  tree: Buffer;
  parents: Buffer[];
  author: Required<Person>;
  committer: Required<Person>;
  message: string;
  /** Other header lines (`gpgsig`, `encoding`, `mergetag`), in their original order. */
  extra: { name: string; value: string }[];
};

export type DecodedTag = {
  object: Buffer;
  type: ObjectType;
  name: string;
  /** The oldest tags have no tagger. */
  tagger: Required<Person> | null;
  message: string;
};

/** Encodes a commit in git's canonical form, in UTF-8. `cleanMessage` cleans the message. */
export function encodeCommit({ tree, parents, author, committer, message }: Commit): Buffer {
  let text = `tree ${tree.toString('hex')}\n`;
  for (const parent of parents) text += `parent ${parent.toString('hex')}\n`;
  text += `author ${encodePerson(author)}\ncommitter ${encodePerson(committer)}\n\n`;
  return Buffer.from(text + cleanMessage(message));
}

/** Throws a `CommitError` for content that git could not read. */
export function decodeCommit(content: Buffer): DecodedCommit {
  const { headers, body } = readHeaders(content);
  const read = textReader(headers);
  const tree = readSha(requireHeader(headers, 0, 'tree'));
  let next = 1;
  const parents: Buffer[] = [];
  for (; headers[next]?.name === 'parent'; next++) parents.push(readSha(requireHeader(headers, next, 'parent')));
  return {
    tree,
    parents,
    author: decodePerson(read(requireHeader(headers, next, 'author'))),
    committer: decodePerson(read(requireHeader(headers, next + 1, 'committer'))),
    message: read(body),
    extra: headers.slice(next + 2).map(({ name, value }) => ({ name, value: unfold(read(value)) })),
  };
}

/** Decodes an annotated tag. Its signature is part of the message, as git stores it. */
export function decodeTag(content: Buffer): DecodedTag {
  const { headers, body } = readHeaders(content);
  const read = textReader(headers);
  const type = read(requireHeader(headers, 1, 'type'));
  if (!isObjectType(type)) throw new CommitError(`a tag has the unknown type ${JSON.stringify(type)}`);
  const tagger = headers[3]?.name === 'tagger' ? decodePerson(read(headers[3].value)) : null;
  return {
    object: readSha(requireHeader(headers, 0, 'object')),
    type,
    name: read(requireHeader(headers, 2, 'tag')),
    tagger,
    message: read(body),
  };
}

/**
 * Cleans a message as `git commit -F` does. White space (space, tab, carriage return) at line ends and empty lines at
 * the start and the end are removed. Several empty lines in the middle become one, and the last line ends in one
 * newline. Lines with `#` stay. An empty message stays empty. NULs, which git refuses, are removed too.
 */
function cleanMessage(message: string): string {
  let cleaned = '';
  let afterEmpty = false;
  for (const line of message.replaceAll('\0', '').split('\n')) {
    const text = line.slice(0, lengthWithoutSpaceAtEnd(line));
    if (text !== '') cleaned += afterEmpty && cleaned !== '' ? `\n${text}\n` : `${text}\n`;
    afterEmpty = text === '';
  }
  return cleaned;
}

/** A loop, because a regular expression would scan a long run of spaces once per space. */
function lengthWithoutSpaceAtEnd(line: string): number {
  let length = line.length;
  while (length > 0 && ' \t\r'.includes(line.charAt(length - 1))) length--;
  return length;
}

function isObjectType(type: string): type is ObjectType {
  return type === 'blob' || type === 'tree' || type === 'commit' || type === 'tag';
}
