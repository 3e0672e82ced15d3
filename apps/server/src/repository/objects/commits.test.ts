import { array, assert, constantFrom, date, integer, oneof, property, record, string, uint8Array } from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { decodeCommit, decodeTag, encodeCommit } from './commits.ts';
import { useGitRepository } from './git-repository.fixture.ts';
import { CommitError } from './object-headers.ts';
import { hashObject } from './objects.ts';

const { git, line } = useGitRepository();
const tree = Buffer.from('4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'hex');
const person = { name: 'Ada', email: 'ada@example.com', at: new Date(1_700_000_000_000) };
let parents: Buffer[] = [];

beforeAll(() => {
  git(['mktree']);
  const env = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a' };
  const make = (message: string) => line(['commit-tree', tree.toString('hex'), '-m', message], '', env);
  parents = ['one', 'two', 'three'].map((message) => Buffer.from(make(message), 'hex'));
});

const crud = constantFrom(' ', '\t', '\n', '\r', ',', ':', ';', '<', '>', '"', "'", '\\', '\u0001', '\u00a0', 'x', 'é');
const text = oneof(string({ unit: crud, maxLength: 8 }), string({ unit: 'grapheme', maxLength: 12 }))
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
  // Something must be left, or git refuses it. Versions of git differ about dots at the ends.
  .map((value) => `${value}xy${value}`.replaceAll('.', ''));
const persons = record({
  name: text,
  email: text,
  at: date({ min: new Date('2001-09-10'), max: new Date('2090-01-01'), noInvalidDate: true }),
  offsetMinutes: integer({ min: -12 * 60, max: 14 * 60 }),
});
const messageUnit = constantFrom('\n', '\n', ' ', '\t', '\r', '\v', '\f', '#', 'a', 'word', 'ü', '\u00a0', '\u2028');
const messages = oneof(string({ unit: messageUnit, maxLength: 30 }), string({ unit: 'grapheme' })).map((value) =>
  value.replaceAll('\0', ''),
);

function zone(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`;
}

test('a commit has the id that git commit-tree gives it', () => {
  const parentLists = array(integer({ min: 0, max: 2 }), { maxLength: 3 }).map((list) => [...new Set(list)]);
  assert(
    property(persons, persons, messages, parentLists, (author, committer, message, which) => {
      const chosen = which.map((index) => parents[index] as Buffer);
      const stamp = ({ at, offsetMinutes }: typeof author) =>
        `@${Math.floor(at.getTime() / 1000)} ${zone(offsetMinutes)}`;
      const env = {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: stamp(author),
        GIT_COMMITTER_NAME: committer.name,
        GIT_COMMITTER_EMAIL: committer.email,
        GIT_COMMITTER_DATE: stamp(committer),
      };
      const cleaned = git(['stripspace'], message);
      const args = ['commit-tree', tree.toString('hex'), ...chosen.flatMap((id) => ['-p', id.toString('hex')])];
      const expected = line(args, cleaned, env);
      const content = encodeCommit({ tree, parents: chosen, author, committer, message });
      expect(hashObject('commit', content).toString('hex'), content.toString()).toBe(expected);

      const decoded = decodeCommit(content);
      expect(decoded).toMatchObject({ tree, parents: chosen, message: cleaned.toString(), extra: [] });
      expect(decoded.author.at.getTime()).toBe(Math.floor(author.at.getTime() / 1000) * 1000);
      expect(decoded.author.offsetMinutes).toBe(author.offsetMinutes);
    }),
    { numRuns: fuzzRuns(300, 15), seed: 1 },
  );
});

test('a message is cleaned up as git commit -F does', () => {
  const message = '\n\n  Title \t\r\n\n\n\n# not a comment\nbody\n\n \n';
  const env = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a' };
  git(['commit', '--quiet', '--allow-empty', '-F', '-'], message, env);
  const theirs = decodeCommit(git(['cat-file', 'commit', 'HEAD'])).message;
  const ours = decodeCommit(encodeCommit({ tree, parents: [], author: person, committer: person, message })).message;
  expect(ours).toBe(theirs);
  expect(ours).toBe('  Title\n\n# not a comment\nbody\n');
});

test('a person is written in UTC, without characters that would break the line', () => {
  const author = { ...person, name: ' "Robert <Bob>\n Downey Jr." ', email: '<rob\0@example.com>' };
  const content = encodeCommit({
    tree,
    parents: [],
    author,
    committer: { ...person, name: '";' },
    message: '',
  }).toString();
  expect(content).toContain('\nauthor Robert Bob Downey Jr. <rob@example.com> 1700000000 +0000\n');
  // Nothing is left of this name, so the email replaces it.
  expect(content).toContain('\ncommitter ada@example.com <ada@example.com> 1700000000 +0000\n\n');
  for (const at of [new Date(Number.NaN), new Date(-1), new Date('+010000-01-01')]) {
    const bad = { tree, parents: [], author: { ...person, at }, committer: person, message: '' };
    expect(() => encodeCommit(bad)).toThrow(RangeError);
  }
});

const headed = (extra: string, body = 'message\n') =>
  `tree ${tree.toString('hex')}\nauthor A <a@b> 1 +0100\ncommitter B <b@c> 2 -0230\n${extra}\n${body}`;

test('signatures, merged tags and unknown headers do not prevent reading a commit', () => {
  const signature = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----';
  const folded = signature.replaceAll('\n', '\n ');
  const commit = decodeCommit(Buffer.from(headed(`mergetag object 1\n type commit\ngpgsig ${folded}\nmine x y\n`)));
  expect(commit.message).toBe('message\n');
  expect(commit.committer).toEqual({ name: 'B', email: 'b@c', at: new Date(2000), offsetMinutes: -150 });
  expect(commit.extra).toEqual([
    { name: 'mergetag', value: 'object 1\ntype commit' },
    { name: 'gpgsig', value: signature },
    { name: 'mine', value: 'x y' },
  ]);
});

test('texts are decoded with the encoding that the commit names, or as Latin-1 if they do not match it', () => {
  const latin1 = (extra: string, body: string) => decodeCommit(Buffer.from(headed(extra, body), 'latin1')).message;
  expect(latin1('encoding ISO-8859-1\n', 'caf\xe9 \xc3\xa9')).toBe('café Ã©');
  expect(latin1('encoding UTF-8\n', 'caf\xc3\xa9')).toBe('café');
  expect(latin1('', 'caf\xc3\xa9')).toBe('café');
  expect(latin1('', 'caf\xe9')).toBe('café');
  expect(latin1('encoding x-unknown\n', 'caf\xe9')).toBe('café');
  expect(latin1('', 'before\0after')).toBe('before');
});

test('malformed authors are read as git reads them', () => {
  const authorOf = (author: string) => decodeCommit(Buffer.from(headed('').replace('A <a@b> 1 +0100', author))).author;
  const epoch = new Date(0);
  expect(authorOf('nobody')).toEqual({ name: 'nobody', email: '', at: epoch, offsetMinutes: 0 });
  expect(authorOf('A <a>b> 7 +0100')).toEqual({ name: 'A', email: 'a', at: new Date(7000), offsetMinutes: 60 });
  expect(authorOf('<a@b> 7')).toEqual({ name: '', email: 'a@b', at: new Date(7000), offsetMinutes: 0 });
  expect(authorOf('A <a@b> 7 +51800').offsetMinutes).toBe(0);
  expect(authorOf('A <a@b> 99999999999999999999 +0000').at).toEqual(epoch);
});

test('broken commits and tags are refused', () => {
  const good = headed('');
  const broken = ['', '\n', 'tree', good.replace('tree', 'eert'), good.replace('4b825dc', '4b825d'), good.slice(0, 80)];
  broken.push(good.replace('author', 'parent'), good.replace('committer B', 'x B'), good.replace('4b825dc', '4B825DC'));
  broken.push(headed('gpgsig\n'), headed(' leading space\n').replace('-0230\n', '-0230\nx\n'));
  for (const text of broken) expect(() => decodeCommit(Buffer.from(text)), text).toThrow(CommitError);
  expect(() => decodeTag(Buffer.from(`object ${'0'.repeat(40)}\ntype thing\ntag v1\n\n`))).toThrow(CommitError);
  assert(
    property(uint8Array({ maxLength: 100 }), (bytes) => {
      expect(() => decodeCommit(Buffer.from(bytes))).toThrow(CommitError);
    }),
    { seed: 3 },
  );
});

test('an annotated tag is read, even an old one without a tagger', () => {
  const env = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@b', GIT_COMMITTER_DATE: '@1700000000 +0200' };
  const target = parents[0] as Buffer;
  git(['tag', '-a', '-m', 'First', 'v1', target.toString('hex')], '', env);
  expect(decodeTag(git(['cat-file', 'tag', 'v1']))).toEqual({
    object: target,
    type: 'commit',
    name: 'v1',
    tagger: { name: 'Ada', email: 'ada@b', at: new Date(1_700_000_000_000), offsetMinutes: 120 },
    message: 'First\n',
  });
  const old = decodeTag(Buffer.from(`object ${target.toString('hex')}\ntype tree\ntag v0.9\n\nOld\n`));
  expect(old).toMatchObject({ type: 'tree', name: 'v0.9', tagger: null, message: 'Old\n' });
});
