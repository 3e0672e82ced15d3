import { plainDirectory, whyNotPath } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  commit,
  contentAt,
  inProject,
  listPaths,
  newPlace,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { ancestorsOf, nameOf, parentOf } from './paths.ts';

const service = useTestService();
const deep = (levels: number) => '/d'.repeat(levels);

const refused: [why: string, path: string][] = [
  ['only the root', '/'],
  ['an empty segment', '/a//b'],
  ['an empty first segment', '//a'],
  ['a trailing slash', '/a/'],
  ['a dot', '/a/./b'],
  ['two dots', '/a/../b'],
  ['two dots at the end', '/a/..'],
  ['NUL', '/a\0b'],
  ['a line break', '/a\nb'],
  ['an escape', '/a\u001bb'],
  ['delete', '/a\u007fb'],
  ['a C1 control', '/a\u0085b'],
  ['half a surrogate pair', '/a\ud800b'],
  ['.git', '/.git/config'],
  ['.git below', '/a/.git'],
  ['.GIT', '/.GIT/config'],
  ['.gIt', '/a/.gIt/b'],
  ['.git and a dot', '/.git./config'],
  ['.git and a space', '/.git /config'],
  ['.git and a stream', '/.git::$INDEX_ALLOCATION/config'],
  ['the short name', '/git~1/config'],
  ['the short name in capitals', '/GIT~1'],
  ['.git with a character that macOS ignores', '/.g\u200cit/config'],
  ['.git with a byte order mark', '/\ufeff.git'],
  ['.git before a backslash', '/.git\\config'],
  ['.git after a backslash', '/a\\.git'],
  ['a name of 256 bytes', `/${'n'.repeat(256)}`],
  ['a name of 256 bytes in 128 characters', `/${'é'.repeat(128)}`],
  ['65 levels', deep(65)],
  ['1,025 characters', `/${'n'.repeat(200)}`.repeat(5) + '/'.padEnd(20, 'x')],
];

const allowed: [why: string, path: string][] = [
  ['.gitignore', '/.gitignore'],
  ['.github', '/.github/workflows/ci.yml'],
  ['git', '/git/x'],
  ['.git in the middle of a name', '/a.git'],
  ['three dots', '/...'],
  ['a hidden file', '/.env'],
  ['a space', '/a b'],
  ['a backslash', '/a\\b'],
  ['a name of 255 bytes', `/${'n'.repeat(255)}`],
  ['64 levels', deep(64)],
  ['1,024 characters', `/${'n'.repeat(200)}`.repeat(5) + '/'.padEnd(19, 'x')],
];

describe('a path is refused for', () => {
  test.each(refused)('%s', async (_why, path) => {
    expect(whyNotPath(path)).toMatch(/^must /);
  });
});

describe('a path is accepted with', () => {
  test.each(allowed)('%s', (_why, path) => {
    expect(whyNotPath(path)).toBeNull();
  });
});

test('the rules for paths apply to PUT, move, commits and lists alike, and nothing is stored', async () => {
  const place = await newPlace(service);
  const { id } = await writeFile(place, '/there');
  // Half a surrogate pair is replaced on its way, and a query cannot express it.
  for (const [why, path] of refused.filter(([, one]) => one.isWellFormed())) {
    const invalid = (field: string) => ({ status: 422, code: 'VALIDATION_ERROR', field }) as const;
    expectError(await putFile(place, { path, content: why }), invalid('path'));
    expectError(await inProject(place, 'POST', `/files/${id}/move`, { json: { path } }), invalid('path'));
    expectError(await commit(place, [{ action: 'create', path, content: '' }]), invalid('changes.0.path'));
    const move = { action: 'move', path: '/there', new_path: path };
    expectError(await commit(place, [move]), invalid('changes.0.new_path'));
  }
  expect(await listPaths(place)).toEqual(['/there']);
  const listed = await inProject(place, 'GET', `/files?path=${encodeURIComponent('/a/../b')}`);
  expectError(listed, { status: 400, code: 'VALIDATION_ERROR', field: 'path' });
});

test('Platform API, Errors: a bad query value is a 400, even if it is a path', async () => {
  const place = await newPlace(service);
  await writeFile(place, '/there');
  for (const query of ['files?path=/a/../b', 'files?path=/.git&ref=main', 'commits?path=/a//b']) {
    expectError(await inProject(place, 'GET', `/${query}`), { status: 400, code: 'VALIDATION_ERROR', field: 'path' });
  }
});

test('Platform API, File: a path without its leading slash means the same path everywhere', async () => {
  const place = await newPlace(service);
  const { id, path } = await writeFile(place, 'src/app.js');
  expect(path).toBe('/src/app.js');
  expect(await listPaths(place, '?path=src')).toEqual(['/src/app.js']);
  const moved = await inProject<{ path: string }>(place, 'POST', `/files/${id}/move`, {
    json: { path: 'src/main.js' },
  });
  expect(moved.body.path).toBe('/src/main.js');
  await commit(place, [{ action: 'move', path: 'src/main.js', new_path: 'lib/main.js' }]);
  expect(await listPaths(place, '?recursive=true&type=file')).toEqual(['/lib/main.js']);
});

test('Platform API, File: the name of an encoding may be in upper case', async () => {
  const place = await newPlace(service);
  const bodies = { 'UTF-8': 'text', 'Utf-8': 'text', BASE64: 'dGV4dA==' };
  for (const [encoding, content] of Object.entries(bodies)) {
    const answer = await putFile(place, { path: `/${encoding}`, content, encoding });
    expect(answer.status, answer.text).toBe(201);
    expect(await contentAt(place, `/${encoding}`)).toBe('text');
  }
  expectError(await putFile(place, { path: '/x', content: 'x', encoding: 'latin1' }), {
    status: 422,
    code: 'VALIDATION_ERROR',
    field: 'encoding',
  });
});

test('accepted paths are stored unchanged', async () => {
  const place = await newPlace(service);
  for (const [, path] of allowed) await writeFile(place, path);
  const paths = await listPaths(place, '?recursive=true&type=file');
  expect(paths).toEqual(allowed.map(([, path]) => path).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
});

test('the directory in a query may be empty, the root, or end with a slash', () => {
  expect(['', '/', '//', '/a', '/a/', '/a/b//'].map(plainDirectory)).toEqual(['', '', '', '/a', '/a', '/a/b']);
});

test('a path is split into its name, its parent and its ancestors', () => {
  expect([nameOf('/a/b.c'), parentOf('/a/b.c'), parentOf('/a')]).toEqual(['b.c', '/a', '']);
  expect(ancestorsOf('/a/b/c')).toEqual(['', '/a', '/a/b']);
});
