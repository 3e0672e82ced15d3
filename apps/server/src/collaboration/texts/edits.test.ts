import { createHash } from 'node:crypto';
import type { CodeChange } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPlace, type Place, putFile, writeFile } from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { join, useTexts } from './live.fixture.ts';

const service = useTestService({ role: 'api' });
const live = useTexts(service, { settings: { BOTTEGA_LIVE_FILE_LIMIT: '5000', BOTTEGA_LIVE_REVISIONS: '20' } });
let place: Place & { user: TestUser };
let other: TestUser;
let files = 0;
beforeAll(async () => {
  place = await newPlace(service, { settings: { auto_save: false } });
  other = await service.createUser({ name: 'Other' });
});

const insert = (line: number, column: number, text: string): CodeChange => ({
  type: 'insert',
  position: { line, column },
  text,
});
const remove = (line: number, column: number, endLine: number, endColumn: number): CodeChange => ({
  type: 'delete',
  position: { line, column },
  end: { line: endLine, column: endColumn },
});

/** Two people with a new file open. */
async function opened(content: string) {
  const path = `/file-${++files}.txt`;
  await writeFile(place, path, content);
  const [a, b] = [join(live.texts, place, place.user), join(live.texts, place, other)];
  for (const client of [a, b]) client.send({ type: 'open_file', file_path: path, seq: 1 });
  const state = await a.next('file_state');
  await b.next('file_state');
  return { path, a, b, state };
}

describe('a change of a live text', () => {
  test('is preceded by opening the file, which returns the text, its revision and checksum (L2)', async () => {
    const { path, state } = await opened('one\r\ntwo 🐙\n');
    const checksum = `sha256:${createHash('sha256').update('one\r\ntwo 🐙\n').digest('hex')}`;
    expect(state).toMatchObject({ file_path: path, content: 'one\r\ntwo 🐙\n', revision: 0, checksum, seq: 1 });
  });

  test('reaches the others with its revision and author, and is acknowledged as applied, then as durable (L6)', async () => {
    const { path, a, b } = await opened('one\ntwo\n');
    a.send({ type: 'code_change', file_path: path, changes: [insert(2, 4, ' 🐙')], base_revision: 0, seq: 7 });
    const seen = await b.next('code_change');
    expect(seen).toMatchObject({ user_id: place.user.id, revision: 1, changes: [insert(2, 4, ' 🐙')] });
    expect(await a.next('ack')).toMatchObject({ seq: 7, revision: 1, durable: false, changes: [insert(2, 4, ' 🐙')] });
    expect(await a.next('ack')).toMatchObject({ seq: 7, revision: 1, durable: true });
    const stored = await service.db.selectFrom('live_texts').selectAll().where('path', '=', path).executeTakeFirst();
    expect(stored).toMatchObject({ revision: 1, unsaved_by: [place.user.id] });
    expect(a.messages.filter(({ type }) => type === 'code_change')).toEqual([]);
    expect([a.textOf(path), b.textOf(path)]).toEqual(['one\ntwo 🐙\n', 'one\ntwo 🐙\n']);
  });

  test('with the id of an applied change is acknowledged again, and not applied twice (L24)', async () => {
    const { path, a, b } = await opened('one\n');
    const change = { type: 'code_change', file_path: path, base_revision: 0, id: 'change-1' } as const;
    a.send({ ...change, changes: [insert(1, 4, '!')], seq: 1 });
    const first = await a.next('ack', { durable: false });
    b.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'b')], seq: 2 });
    await b.next('ack', { seq: 2 });
    const again = join(live.texts, place, place.user);
    again.send({ ...change, changes: [insert(1, 4, '!')], seq: 3 });
    const { revision, changes } = first;
    expect(await again.next('ack', { durable: false })).toMatchObject({ seq: 3, revision, changes });
    expect(await again.next('ack', { durable: true })).toMatchObject({ seq: 3, revision });
    // Change ids are per user.
    b.send({ ...change, changes: [insert(1, 4, '?')], seq: 4 });
    expect(await b.next('ack', { seq: 4, durable: false })).toMatchObject({ revision: revision ? revision + 2 : 0 });
    expect(b.textOf(path)).toBe('bone!?\n');
  });

  test('for an older revision is transformed over the later ones; at the same place the earlier one comes first (L3)', async () => {
    const { path, a, b } = await opened('ab\n');
    a.send({ type: 'code_change', file_path: path, changes: [insert(1, 2, 'X')], base_revision: 0 });
    b.send({
      type: 'code_change',
      file_path: path,
      changes: [insert(1, 2, 'Y'), remove(1, 2, 1, 3)],
      base_revision: 0,
    });
    expect(await a.next('code_change')).toMatchObject({ revision: 2 });
    expect([a.textOf(path), b.textOf(path)]).toEqual(['aXY\n', 'aXY\n']);
  });

  test('without a base revision refers to the last revision that its socket has received (L3)', async () => {
    const { path, a, b } = await opened('ab\n');
    a.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, '12')] });
    b.send({ type: 'code_change', file_path: path, changes: [insert(1, 3, '3')] });
    expect(b.textOf(path)).toBe('123ab\n');
  });

  test('may contain several edits, all of which refer to the text before the change (L4)', async () => {
    const { path, a } = await opened('one\ntwo\nthree\n');
    const replace: CodeChange = {
      type: 'replace',
      position: { line: 2, column: 1 },
      end: { line: 2, column: 4 },
      text: '2\n2',
    };
    a.send({ type: 'code_change', file_path: path, changes: [remove(1, 1, 1, 4), replace, insert(4, 1, 'end')] });
    expect(a.textOf(path)).toBe('\n2\n2\nthree\nend');
  });

  test.each([
    ['a line that is not there', [insert(9, 1, 'x')], 'changes.0.position'],
    ['a column behind the end of its line', [insert(1, 5, 'x')], 'changes.0.position'],
    ['the middle of a character', [insert(2, 2, 'x')], 'changes.0.position'],
    ['half of a character', [insert(1, 1, '\ud83d')], 'changes.0.text'],
    ['a NUL', [insert(1, 1, '\0')], 'changes.0.text'],
    ['an end before its position', [remove(1, 3, 1, 2)], 'changes.0.end'],
    ['changes out of order', [insert(1, 3, 'x'), insert(1, 1, 'y')], 'changes.1.position'],
    ['changes that overlap', [remove(1, 1, 1, 3), remove(1, 2, 1, 4)], 'changes.1.position'],
  ] as [string, CodeChange[], string][])('is refused for %s, and changes nothing', async (_what, changes, field) => {
    const { path, a, b } = await opened('one\n🐙\n');
    a.send({ type: 'code_change', file_path: path, changes, seq: 3 });
    const error = await a.next('error');
    const fields = [{ field, message: expect.any(String) }];
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', seq: 3, details: { file_path: path, fields } });
    expect([a.textOf(path), b.textOf(path)]).toEqual(['one\n🐙\n', 'one\n🐙\n']);
  });

  test.each([-1, 999])('for an unknown revision (%i from now) is answered with the text (L5)', async (difference) => {
    const { path, a, b } = await opened('');
    for (let n = 0; n < 30; n++) a.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'x')] });
    const base_revision = difference < 0 ? 2 : 30 + difference;
    b.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'lost')], base_revision, seq: 5 });
    expect(await b.next('resync')).toMatchObject({ revision: 30, content: 'x'.repeat(30), seq: 5 });
    b.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, '!')], base_revision: 30 });
    expect([a.textOf(path), b.textOf(path)]).toEqual([`!${'x'.repeat(30)}`, `!${'x'.repeat(30)}`]);
  });

  test('that has no effect is acknowledged without a revision of its own', async () => {
    const { path, a, b } = await opened('abc');
    a.send({ type: 'code_change', file_path: path, changes: [remove(1, 1, 1, 4)], base_revision: 0 });
    b.send({ type: 'code_change', file_path: path, changes: [remove(1, 2, 1, 3)], base_revision: 0, seq: 1 });
    expect(await b.next('ack', { durable: true })).toMatchObject({ revision: 1, changes: [] });
  });

  test('is refused without write permission, and if the text would become too long (L9)', async () => {
    const { path, a, b } = await opened('x');
    b.rights.delete('write');
    b.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'y')] });
    expect(await b.next('error')).toMatchObject({ code: 'AUTHORIZATION_ERROR' });
    a.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'ä'.repeat(2500))] });
    expect(await a.next('error')).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(a.textOf(path)).toBe('x');
  });

  test('of a file that nobody has opened opens the file', async () => {
    await writeFile(place, '/unopened.txt', 'x\n');
    const a = join(live.texts, place, place.user);
    a.send({ type: 'code_change', file_path: '/unopened.txt', changes: [insert(1, 1, 'y')], seq: 1 });
    a.send({ type: 'code_change', file_path: '/unopened.txt', changes: [insert(1, 2, 'z')], seq: 2 });
    expect(await a.next('ack', { seq: 2, durable: false })).toMatchObject({ revision: 2 });
    a.send({ type: 'open_file', file_path: '/unopened.txt' });
    expect(await a.next('file_state')).toMatchObject({ content: 'yzx\n', revision: 2 });
  });

  test('reaches other users of the session who have not opened the file, until they close it (L8)', async () => {
    const { path, a } = await opened('x');
    const [c, elsewhere] = [join(live.texts, place, other), join(live.texts, place, other, { sessionId: 'ses_two' })];
    a.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, '1')] });
    await c.next('code_change');
    expect(elsewhere.messages).toEqual([]);
    c.send({ type: 'close_file', file_path: path, seq: 4 });
    await c.next('ack', { seq: 4 });
    elsewhere.send({ type: 'open_file', file_path: path });
    await elsewhere.next('file_state');
    a.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, '2')] });
    expect(await elsewhere.next('code_change')).toMatchObject({ revision: 2 });
    expect(c.messages.filter(({ type }) => type === 'code_change')).toHaveLength(1);
  });
});

describe('opening a file', () => {
  test.each([
    ['that is not there', '/nothing.txt', 'NOT_FOUND'],
    ['by a path that none can have', 'a/../b', 'VALIDATION_ERROR'],
    ['that is too large', '/large.txt', 'CONFLICT'],
    ['that is binary', '/binary.dat', 'CONFLICT'],
    ['that is not in UTF-8', '/latin.txt', 'CONFLICT'],
  ])('%s is refused', async (_what, path, code) => {
    await writeFile(place, '/large.txt', 'x'.repeat(6000));
    await writeFile(place, '/binary.dat', 'a\0b');
    const latin = { path: '/latin.txt', content: Buffer.from('café', 'latin1').toString('base64'), encoding: 'base64' };
    await putFile(place, latin);
    const a = join(live.texts, place, place.user);
    a.send({ type: 'open_file', file_path: path, seq: 2 });
    expect(await a.next('error')).toMatchObject({ code, seq: 2, details: { file_path: path } });
  });

  test('by many users at once seeds its text only once (L1)', async () => {
    await writeFile(place, '/many.txt', 'once\n');
    const clients = Array.from({ length: 10 }, () => join(live.texts, place, place.user));
    for (const client of clients) client.send({ type: 'open_file', file_path: '/many.txt' });
    for (const client of clients) expect(await client.next('file_state')).toMatchObject({ content: 'once\n' });
    const rows = await service.db.selectFrom('live_texts').select('id').where('path', '=', '/many.txt').execute();
    expect(rows).toHaveLength(1);
  });
});
