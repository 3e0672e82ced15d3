import { gunzipSync, inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { createProject, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { putFile, useDirectory, useGitClient } from '../smart-http/git-client.fixture.ts';

const data = useDirectory('data');
const service = useTestService({ settings: { BOTTEGA_DATA_DIR: data } });
const client = useGitClient(service);
let owner: TestUser;
let projectId: string;

beforeAll(async () => {
  owner = await service.createUser();
  projectId = (await createProject(service, owner, { name: 'Ünï & Co: "x"/../' })).id;
  await putFile(service, owner, projectId, ['/a.txt', 'one']);
  await putFile(service, owner, projectId, ['/src/b.bin', Buffer.from([0, 1, 255])]);
  await putFile(service, owner, projectId, ['/a.txt', 'two']);
});

async function download(id: string, query = ''): Promise<Response> {
  const url = `${service.url}/v1/projects/${id}/archive${query}`;
  return fetch(url, { headers: { authorization: `Bearer ${owner.key}` } });
}

async function files(response: Response, format: 'zip' | 'tar.gz'): Promise<Record<string, string>> {
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  return format === 'zip' ? unzip(bytes) : untar(gunzipSync(bytes));
}

/** Reads the archive by its central directory, as tools do. */
function unzip(bytes: Buffer): Record<string, string> {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const found: Record<string, string> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const isDeflated = bytes.readUInt16LE(at + 10) === 8;
    if (!name.endsWith('/')) found[name] = (isDeflated ? inflateRawSync(content) : content).toString('latin1');
    at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32);
  }
  return found;
}

function untar(bytes: Buffer): Record<string, string> {
  const found: Record<string, string> = {};
  for (let at = 0; bytes[at]; ) {
    const name = bytes.toString('utf8', at, bytes.indexOf(0, at));
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8);
    // '0' is a file. Other types are directories and git's note of the commit.
    if (bytes[at + 156] === 0x30) found[name] = bytes.toString('latin1', at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

describe('an archive', () => {
  test.each(['zip', 'tar.gz'] as const)(
    'as %s has all files, in a directory with the name of the project',
    async (format) => {
      const response = await download(projectId, `?format=${format}`);
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="U-ni-Co-x.${format}"`);
      expect(await files(response, format)).toEqual({ 'U-ni-Co-x/a.txt': 'two', 'U-ni-Co-x/src/b.bin': '\0\x01\xff' });
    },
  );

  test('of a ref has the files of that ref', async () => {
    const clone = await client.clone(projectId, owner);
    await clone.git('tag', 'first', 'HEAD~2');
    await clone.git('push', '--quiet', '--tags');
    expect(await files(await download(projectId, '?ref=first'), 'zip')).toEqual({ 'U-ni-Co-x/a.txt': 'one' });
  });

  test('is refused for an unknown ref, for an unknown format, and to a stranger', async () => {
    const ask = (query: string, token = owner.key) =>
      call('GET', `${service.url}/v1/projects/${projectId}/archive${query}`, { token });
    expectError(await ask('?ref=nowhere'), { status: 404, code: 'NOT_FOUND' });
    expectError(await ask('?ref=--output=x'), { status: 404, code: 'NOT_FOUND' });
    expectError(await ask('?format=rar'), { status: 400, code: 'VALIDATION_ERROR' });
    expectError(await ask('', (await service.createUser()).key), { status: 404, code: 'NOT_FOUND' });
  });

  test('works without version control, and includes what was saved after it was turned off', async () => {
    const { id } = await createProject(service, owner, { name: 'plain', settings: { version_control: false } });
    await putFile(service, owner, id, ['/x/y.txt', 'y']);
    expect(await files(await download(id), 'zip')).toEqual({ 'plain/x/y.txt': 'y' });
    const other = (await createProject(service, owner, { name: 'other' })).id;
    await putFile(service, owner, other, ['/a.txt', 'a']);
    await onProject(service, owner, other, ['PATCH', { settings: { version_control: false } }]);
    await putFile(service, owner, other, ['/a.txt', 'b']);
    expect(await files(await download(other, '?format=tar.gz'), 'tar.gz')).toEqual({ 'other/a.txt': 'b' });
  });

  test('of a project without files is empty', async () => {
    const { id } = await createProject(service, owner);
    expect(await files(await download(id, '?format=tar.gz'), 'tar.gz')).toEqual({});
  });
});
