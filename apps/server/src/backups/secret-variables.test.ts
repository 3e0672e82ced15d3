import { expect, test } from 'vitest';
import { call } from '../testing/clients/http-client.ts';
import { newPlace, writeFile } from '../testing/samples/sample-files.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { fileAt, useBackups } from './backups.fixture.ts';
import { readBackupFile } from './file/index.ts';
import { useProjectBackups } from './projects/project-backups.fixture.ts';

const service = useTestService();
const backups = useBackups();
const ofProjects = useProjectBackups(service);

/** The content before compression. Tables are written as text, in which bytes are hexadecimal. */
async function contentOf(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const record of readBackupFile(fileAt(path), null)) {
    pieces.push('data' in record ? record.data : Buffer.from(JSON.stringify(record.metadata)));
  }
  return Buffer.concat(pieces);
}

const formsOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  return [text, bytes.toString('hex'), ...['base64', 'base64url'].map((form) => bytes.toString(form as 'base64'))];
};

test('a backup never contains variables in clear text, whether of the whole installation or of one project', async () => {
  const place = await newPlace(service);
  const [secret, plain, given] = ['c5a8-secret-f1e0', 'c5a8-plain-f1e09', 'c5a8-given-f1e09'];
  await writeFile(place, '/index.html');
  const url = `${service.url}/v1/projects/${place.projectId}`;
  for (const [kind, value] of [
    ['secret', secret],
    ['plain', plain],
  ]) {
    const json = { value, kind, environments: ['production'] };
    const answer = await call('PUT', `${url}/variables/NAME_${kind?.toUpperCase()}`, { token: place.user.key, json });
    expect(answer.status).toBeLessThan(300);
  }
  const json = { environment: 'production', environment_variables: { GIVEN: given } };
  expect((await call('POST', `${url}/deployments`, { token: place.user.key, json })).status).toBe(201);

  const all = await contentOf(await backups.backUp(service.database.connection));
  const one = await contentOf(await ofProjects.backUp(place.projectId));
  for (const content of [all, one]) {
    // Makes sure that the searched content is the project's backup, and readable.
    expect(content.includes(place.projectId)).toBe(true);
    for (const value of [secret, plain, given]) {
      for (const form of formsOf(value ?? '')) expect(content.includes(form), `${value} as ${form}`).toBe(false);
    }
  }
  expect(all.includes('NAME_SECRET')).toBe(true);
});
