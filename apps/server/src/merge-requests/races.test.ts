import { expect, test } from 'vitest';
import { change } from '../repository/merging/merging.fixture.ts';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { byNight } from '../testing/runner/thoroughness.ts';
import { contentAt, history } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { ask, opened, push } from './merge-requests.fixture.ts';
import { ruled, write } from './queue.fixture.ts';

const service = useTestService();
const client = useGitClient(service);
const rounds = byNight(20, 3);

test('a forced push during a merge never brings unreviewed commits to the target', async () => {
  for (let round = 0; round < rounds; round++) {
    const place = await opened(service, client);
    const { clone, number } = place;
    const { head_sha } = (await ask(place, 'GET', number)).body;
    await clone.git('checkout', '--quiet', 'feature');
    await clone.git('reset', '--quiet', '--hard', 'HEAD~1');
    await change(clone, 'Smuggled', { 'a.txt': 'smuggled\n' });
    const [merged] = await Promise.all([
      ask(place, 'POST', `/${number}/merge`, { head_sha }),
      push(place, '--force').catch(() => undefined),
    ]);
    expect([200, 409], merged.text).toContain(merged.status);
    const content = await contentAt(place, '/a.txt');
    expect(content).toBe(merged.status === 200 ? '1\n2\nthree\n4\n5\n' : '1\n2\n3\n4\n5\n');
  }
});

test('an approval of commits that have just been replaced does not let the replacement in', async () => {
  for (let round = 0; round < rounds; round++) {
    const place = await opened(service, client);
    const { number } = place;
    await ruled(place, { approvals: 1 });
    const reviewer = await service.createUser();
    await addCollaborator(service, place.projectId, reviewer, { role: 'editor' });
    const theirs = { ...place, user: reviewer };
    const { head_sha } = (await ask(place, 'GET', number)).body;
    const [approved] = await Promise.all([
      ask(theirs, 'POST', `/${number}/reviews`, { event: 'APPROVE', body: 'Good', head_sha }),
      write(place, 'feature', '/a.txt', '1\n2\nsmuggled\n4\n5\n'),
    ]);
    expect([201, 409], approved.text).toContain(approved.status);
    const merged = await ask(place, 'POST', `/${number}/merge`, {});
    expect(merged.status, merged.text).toBe(409);
    expect(await contentAt(place, '/a.txt')).toBe('1\n2\n3\n4\n5\n');
  }
});

test('parallel merges of one request make one merge commit', async () => {
  const place = await opened(service, client);
  const merges = await Promise.all([1, 2, 3].map(() => ask(place, 'POST', `/${place.number}/merge`, {})));
  expect(merges.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  for (const { status, text } of merges) expect([200, 409], text).toContain(status);
  const { data } = await history(place);
  expect(data.filter(({ message }) => message.startsWith('Merge branch'))).toHaveLength(1);
});
