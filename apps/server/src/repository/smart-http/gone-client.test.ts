import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { GitError } from '../cache/git-process.ts';
import { flushPkt, pktLine } from '../objects/pkt-line.ts';
import { refusalOf } from '../quarantine/push-refused.ts';
import { useDirectory, useGitClient } from './git-client.fixture.ts';

/** A git that works normally but is slow to count the files of a push. */
const programs = useDirectory('programs');
writeFileSync(
  join(programs, 'git'),
  `#!/bin/sh
case " $* " in
*" ls-tree "*) touch ${programs}/counting; exec sleep 40 ;;
esac
PATH='${process.env.PATH}' exec git "$@"
`,
  { mode: 0o755 },
);

const data = useDirectory('data');
const service = useTestService({ settings: { BOTTEGA_DATA_DIR: data, PATH: `${programs}:${process.env.PATH}` } });
const client = useGitClient(service);

test('when the client of a push disconnects, git stops checking it, and nothing is stored', async () => {
  const owner = await service.createUser();
  const { id } = await createProject(service, owner);
  const clone = await client.clone(id, owner);
  const commit = await clone.commit('One', { 'a.txt': 'a' });
  const pack = await clone.git('-c', 'alias.feed=!echo HEAD | git pack-objects --revs --stdout | base64', 'feed');
  const command = pktLine(`${'0'.repeat(40)} ${commit} refs/heads/main\0 report-status\n`);
  const gone = new AbortController();
  const pushing = fetch(`${service.url}/git/${id}.git/git-receive-pack`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/x-git-receive-pack-request' },
    body: new Uint8Array(Buffer.concat([command, flushPkt, Buffer.from(pack, 'base64')])),
    signal: gone.signal,
  }).catch(() => null);
  await waitFor('git is counting', async () => (await readdir(programs)).includes('counting'));
  gone.abort();
  await pushing;
  await waitFor('the quarantine is empty', async () => (await readdir(join(data, 'cache/push'))).length === 0);
  const refs = await service.db.selectFrom('git_refs').select('name').where('project_id', '=', id).execute();
  expect(refs).toEqual([]);
});

test('a check that was stopped for its time or memory is a refusal, and any other failure is an error of the service', () => {
  const refused = 'the check takes too long or uses too much memory';
  expect(refusalOf(new GitError('fatal: the command took too long'))?.message).toBe(refused);
  expect(refusalOf(new GitError('fatal: Out of memory, malloc failed'))?.message).toBe(refused);
  expect(refusalOf(new GitError('fatal: packfile x.pack is damaged'))).toBeNull();
});
