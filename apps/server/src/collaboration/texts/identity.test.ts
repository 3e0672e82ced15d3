import { beforeEach, describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { contentAt, idAt, inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { join, joinByYjs, useTexts, type YjsClient } from './live.fixture.ts';

const service = useTestService({ role: 'api' });
const live = useTexts(service);
let place: Place & { user: TestUser };
beforeEach(async () => {
  place = await newPlace(service, { settings: { auto_save: false } });
});

async function provider(path: string, document?: Y.Doc): Promise<YjsClient> {
  const yjs = joinByYjs(join(live.texts, place, place.user), path, document);
  await waitFor('the provider is synced', () => yjs.provider.synced);
  return yjs;
}

/** The reason with which the service closes the document. */
async function refusalOf(path: string, document: Y.Doc): Promise<string> {
  const yjs = joinByYjs(join(live.texts, place, place.user), path, document);
  let reason: string | undefined;
  yjs.provider.on('close', ({ event }: { event: { reason: string } }) => {
    reason ??= event.reason;
  });
  await waitFor('the document is refused', () => reason);
  expect(yjs.provider.synced).toBe(false);
  await yjs.close();
  return reason ?? '';
}

const move = async (path: string, to: string) =>
  inProject(place, 'POST', `/files/${await idAt(place, path)}/move`, { json: { path: to } });

/** Drops the text from memory, where it would follow its file for a while. */
const forgotten = () => live.texts.release(place.projectId);

/** A client that had the file open, disconnected, and went on typing. */
async function wentAway(content = 'old text\n'): Promise<Y.Doc> {
  await writeFile(place, '/a.txt', content);
  const yjs = await provider('/a.txt');
  yjs.text.insert(0, 'seen ');
  await waitFor('it is stored', () => !yjs.provider.hasUnsyncedChanges);
  await yjs.close();
  await forgotten();
  yjs.text.insert(0, 'alone ');
  return yjs.document;
}

describe('a Yjs client that was away while another file took the path of its file (L23)', () => {
  test.each([
    ['nobody had it open', async () => undefined],
    ['somebody had it open', async () => (await provider('/a.txt')).close],
  ])('is refused with a reason, and its old text is not merged, if %s', async (_who, watching) => {
    const document = await wentAway();
    const unwatch = await watching();
    await move('/a.txt', '/b.txt');
    await waitFor('the text has gone along', async () => {
      const { rows } = await service.pool.query('select path from live_texts where project_id = $1', [place.projectId]);
      return unwatch === undefined || rows[0]?.path === '/b.txt';
    });
    await writeFile(place, '/a.txt', 'new text\n');
    expect(await refusalOf('/a.txt', document)).toBe('another text: begin with an empty document');
    expect(document.getText('content').toString()).toBe('alone seen old text\n');
    const fresh = await provider('/a.txt');
    expect(fresh.text.toString()).toBe('new text\n');
    await fresh.close();
    await unwatch?.();
    // Under its new path it is the same text, and what was typed offline is not lost.
    const moved = await provider('/b.txt', document);
    await waitFor('it is stored', () => !moved.provider.hasUnsyncedChanges);
    expect((await provider('/b.txt')).text.toString()).toBe('alone seen old text\n');
    expect(await contentAt(place, '/a.txt')).toBe('new text\n');
  });

  test('is refused even if both files were empty', async () => {
    await writeFile(place, '/a.txt', '');
    const yjs = await provider('/a.txt');
    await yjs.close();
    await forgotten();
    yjs.text.insert(0, 'alone');
    await move('/a.txt', '/b.txt');
    await writeFile(place, '/a.txt', '');
    expect(await refusalOf('/a.txt', yjs.document)).toMatch(/^another text/);
    expect((await provider('/a.txt')).text.toString()).toBe('');
  });
});

test('a file that moves while nobody has it open keeps its text, including unsaved changes (L15)', async () => {
  await wentAway();
  await move('/a.txt', '/b.txt');
  expect((await provider('/b.txt')).text.toString()).toBe('seen old text\n');
});

test('a client that was away returns to its own text, and a client that typed before its first visit is accepted (L12)', async () => {
  const document = await wentAway();
  expect((await provider('/a.txt', document)).text.toString()).toBe('alone seen old text\n');
  const early = new Y.Doc();
  early.getText('content').insert(0, 'early ');
  const yjs = await provider('/a.txt', early);
  await waitFor('both are there', () => /early /.test(yjs.text.toString()) && /old text/.test(yjs.text.toString()));
});

test('a text of an earlier version without an identity mark gets one when it is opened', async () => {
  await writeFile(place, '/a.txt', 'old text\n');
  await (await provider('/a.txt')).close();
  const bare = new Y.Doc();
  bare.getText('content').insert(0, 'old text\n');
  await forgotten();
  await service.pool.query('delete from live_updates');
  await service.pool.query('update live_texts set snapshot = $2, snapshot_seq = 0 where project_id = $1', [
    place.projectId,
    Buffer.from(Y.encodeStateAsUpdate(bare)),
  ]);
  const { document, close } = await provider('/a.txt');
  await close();
  await forgotten();
  await move('/a.txt', '/b.txt');
  await writeFile(place, '/a.txt', 'new text\n');
  expect(await refusalOf('/a.txt', document)).toMatch(/^another text/);
});
