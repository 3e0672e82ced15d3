import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { directoryStore } from './directory-store.ts';
import { openObjectStore, placeOf } from './index.ts';
import { contentOf, inPieces, namesIn, testObjectStore } from './object-store.fixture.ts';
import { ObjectMissingError, ObjectStoreError } from './object-store.ts';
import { useS3Server } from './s3-server.fixture.ts';
import { s3Store } from './s3-store.ts';

const hourMs = 3_600_000;

describe('a directory', () => {
  const root = mkdtempSync(join(tmpdir(), 'bottega-objects-'));
  let made = 0;
  const newDirectory = () => join(root, String(++made));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  testObjectStore(async () => directoryStore(newDirectory(), { creates: true }), 300_000);

  test('lists neither unfinished files nor folders, and old unfinished files of ours are deleted', async () => {
    const directory = newDirectory();
    mkdirSync(join(directory, 'folder'), { recursive: true });
    for (const name of ['ours.part', 'new.part', 'theirs.part', 'whole']) writeFileSync(join(directory, name), 'x');
    for (const name of ['ours.part', 'theirs.part']) utimesSync(join(directory, name), new Date(0), new Date(0));
    const store = directoryStore(directory);
    expect(await namesIn(store)).toEqual(['whole']);
    await store.deleteUnfinished((name) => name !== 'theirs', hourMs);
    expect(readdirSync(directory).toSorted()).toEqual(['folder', 'new.part', 'theirs.part', 'whole']);
    await expect(store.put('new', inPieces(Buffer.from('x')))).rejects.toThrow(
      'new.part exists: another process is writing there, or was interrupted. If none is running, delete the file.',
    );
  });

  test('is created only on request if it is missing', async () => {
    await expect(directoryStore(newDirectory()).put('a', inPieces(Buffer.from('x')))).rejects.toThrow(/^ENOENT/);
  });
});

describe('an S3 store', () => {
  const server = useS3Server();
  const partBytes = 300_000;
  const open = (patienceMs = 20_000) => {
    const settings = { endpoint: server.endpoint, region: null, patienceMs };
    return s3Store('s3://bucket/some/prefix/', settings, partBytes);
  };
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    server.objects.clear();
    server.uploads.clear();
    server.asked = [];
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    server.fault = () => undefined;
  });

  testObjectStore(async () => open(), partBytes);

  test('gets only those parts again that did not arrive', async () => {
    const content = randomBytes(4 * partBytes + 7);
    const failures = new Map<string, number>();
    server.fault = (asked) => {
      const count = failures.get(asked) ?? 0;
      failures.set(asked, count + 1);
      if (asked.includes('partNumber=2') && count < 4) return 'broken';
      return asked.includes('partNumber=4') && count < 4 ? 503 : undefined;
    };
    const store = open();
    expect(await store.put('a', inPieces(content))).toBe(content.length);
    expect(server.objects.get('some/prefix/a')?.equals(content)).toBe(true);
    expect(server.asked.filter((asked) => /partNumber=[135]/.test(asked))).toHaveLength(3);
  });

  test('keeps nothing of an upload that cannot be finished, and the error is one line', async () => {
    server.fault = (asked) => (asked.includes('partNumber=2') ? 403 : undefined);
    await expect(open().put('a', inPieces(randomBytes(2 * partBytes)))).rejects.toThrow(
      /^s3:\/\/bucket\/some\/prefix\/a: [^\n]*403[^\n]*$/,
    );
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });

  test('aborts the old upload of a killed process later, if it is ours and receives no parts', async () => {
    const old = new Date(Date.now() - 2 * hourMs);
    const part = Buffer.from('x');
    const begun = [
      { key: 'some/prefix/ours', at: old },
      { key: 'some/prefix/new', at: new Date() },
      { key: 'some/prefix/theirs', at: old },
      { key: 'some/prefix/long', at: old, parts: new Map([[1, part]]), lastPartAt: new Date() },
      { key: 'some/prefix/left', at: old, parts: new Map([[1, part]]), lastPartAt: old },
    ];
    for (const [at, upload] of begun.entries()) server.uploads.set(`${at}`, { parts: new Map(), ...upload });
    await open().deleteUnfinished((name) => name !== 'theirs', hourMs);
    expect([...server.uploads.keys()]).toEqual(['1', '2', '3']);
  });

  test('resumes a download that breaks off, however often that happens', async () => {
    const content = randomBytes(1_000_000);
    server.objects.set('some/prefix/a', content);
    let count = 0;
    server.fault = (asked) => (asked.startsWith('GET') && ++count <= 4 ? 'half' : undefined);
    expect((await contentOf(open(), 'a')).equals(content)).toBe(true);
    expect(count).toBe(5);
  });

  test('is reported if it stays away, and so is an object that does not exist', async () => {
    server.fault = () => 'broken';
    await expect(contentOf(open(1), 'a')).rejects.toThrow(/^s3:\/\/bucket\/some\/prefix\/a: \S[^\n]*$/);
    server.fault = () => undefined;
    await expect(contentOf(open(), 'none')).rejects.toThrow('s3://bucket/some/prefix/none does not exist');
  });

  test('is given up after a time limit if it does not answer, unlike an object that is missing', async () => {
    const store = s3Store('s3://bucket/some/prefix', {
      endpoint: server.endpoint,
      region: null,
      patienceMs: 1,
      timeoutMs: 50,
    });
    server.fault = () => 'silent';
    const words = await contentOf(store, 'a').catch((error: unknown) => error);
    expect(words).toBeInstanceOf(ObjectStoreError);
    expect(words).not.toBeInstanceOf(ObjectMissingError);
    await expect(store.put('a', inPieces(Buffer.from('x')))).rejects.toBeInstanceOf(ObjectStoreError);
    server.fault = () => undefined;
    await expect(contentOf(store, 'a')).rejects.toBeInstanceOf(ObjectMissingError);
  });

  test('shows no objects beside its prefix or in folders below it', async () => {
    for (const key of ['some/prefix/a', 'some/prefix/b/c', 'some/prefixes', 'other']) {
      server.objects.set(key, Buffer.from(key));
    }
    expect(await namesIn(open())).toEqual(['a']);
  });

  test('has the address of a bucket or a prefix, to which the name of an object is added', () => {
    const s3 = { endpoint: null, region: null };
    expect(openObjectStore('s3://bucket', s3).addressOf('a')).toBe('s3://bucket/a');
    expect(openObjectStore('s3://bucket/x/', s3).addressOf('a')).toBe('s3://bucket/x/a');
    const { store, name } = placeOf('s3://bucket/x/y/a.backup', s3);
    expect([store.addressOf(name), name]).toEqual(['s3://bucket/x/y/a.backup', 'a.backup']);
    expect(placeOf('s3://bucket/a.backup', s3).store.addressOf('b')).toBe('s3://bucket/b');
    for (const bad of ['s3://', 's3://B', 's3:///x']) {
      expect(() => openObjectStore(bad, s3), bad).toThrow('is not an address such as s3://bucket/prefix');
    }
  });
});
