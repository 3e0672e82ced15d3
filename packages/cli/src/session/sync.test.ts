import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BottegaError } from '@bottega/sdk';
import { beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { createSync, type Told } from './sync.ts';

const btg = useBtg();
let root: string;
let told: Told[];

beforeEach(async () => {
  root = await btg.newFolder();
  told = [];
});

/** A session with these texts, which refuses changes as told. */
function sessionWith(texts: Record<string, string>) {
  const listeners: Record<string, () => void> = {};
  const failure = { next: undefined as BottegaError | undefined };
  const live = {
    async open(path: string) {
      if (failure.next) throw failure.next;
      if (texts[path] === undefined) throw new BottegaError('nothing there', { code: 'NOT_FOUND', status: 404 });
      return {
        get text() {
          return texts[path] ?? '';
        },
        setText: (text: string) => void Object.assign(texts, { [path]: text }),
        close: async () => undefined,
        on: (event: string, listener: () => void) => void Object.assign(listeners, { [event]: listener }),
      };
    },
    createFile: async (path: string, text: string) => void Object.assign(texts, { [path]: text }),
    deleteFile: async (path: string) => void delete texts[path],
    renameFile: async () => undefined,
  };
  const sync = createSync({ root, live, mayWrite: true, tell: (one) => told.push(one) });
  return { sync, texts, failure, hear: (event: string) => listeners[event]?.() };
}

const textAt = (path: string) => readFile(join(root, path), 'utf8');

test('an edit that the service takes back is kept in a file beside', async () => {
  const { sync, texts, hear } = sessionWith({ '/a.txt': 'old' });
  await sync.reconcile('/a.txt');
  await writeFile(join(root, 'a.txt'), 'mine');
  await sync.reconcile('/a.txt');
  expect(texts['/a.txt']).toBe('mine');
  // As the client of a session reports it: first the reverted change, then why.
  texts['/a.txt'] = 'old';
  hear('change');
  hear('refused');
  const conflict = await waitFor('it is told', () => told.find(({ kind }) => kind === 'conflict'));
  await sync.reconcile('/a.txt');
  expect(await textAt('a.txt')).toBe('old');
  expect(await textAt((conflict as { kept: string }).kept)).toBe('mine');
});

describe('a service that tries to write elsewhere', () => {
  test.each(['/../out.txt', '/.git/config', '/.btg/project.json', '/a/../../out.txt'])(
    'gets nowhere with %s',
    async (path) => {
      const { sync } = sessionWith({ [path]: 'hostile' });
      await sync.reconcile(path);
      expect(told).toMatchObject([{ kind: 'left alone', path }]);
      expect(await readdir(root)).toEqual([]);
      expect(await readdir(join(root, '..'))).not.toContain('out.txt');
    },
  );
});

test('a file that cannot be edited live is reported once and never written', async () => {
  const { sync, failure } = sessionWith({});
  failure.next = new BottegaError('The file is binary', { code: 'VALIDATION_ERROR' });
  for (let time = 0; time < 2; time += 1) await sync.reconcile('/logo.png');
  expect(told).toEqual([{ kind: 'left alone', path: '/logo.png', why: 'The file is binary' }]);
});

test('without a connection nothing is decided about a file, and afterwards it is written', async () => {
  const { sync, failure } = sessionWith({ '/a.txt': 'there' });
  failure.next = new BottegaError('no connection', { code: 'CONNECTION_ERROR' });
  await expect(sync.reconcile('/a.txt')).rejects.toThrow('no connection');
  failure.next = undefined;
  await sync.reconcile('/a.txt');
  expect(await textAt('a.txt')).toBe('there');
});
