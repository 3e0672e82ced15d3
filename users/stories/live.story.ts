import { expect, test } from 'vitest';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { newAgent } from '../agent.ts';
import { newPerson } from '../people.ts';
import { projectWith } from '../projects.ts';

test('two people and an agent edit one file at once, and all of them keep what they typed', async () => {
  const [ada, ben] = [await newPerson({ name: 'Ada' }), await newPerson({ name: 'Ben' })];
  const id = await projectWith(ada.client, { '/notes.md': 'first line\nsecond line\n' });
  const { id: invited } = await ada.client.collaborators.invite(id, { email: ben.email, role: 'editor' });
  await ben.client.collaborators.accept(id, invited);
  const { session_id } = await ada.client.sessions.create({ name: 'Pairing', workspace_id: id });
  const [hers, his] = [await ada.client.sessions.join(session_id), await ben.client.sessions.join(session_id)];
  const [mine, theirs] = [await hers.open('/notes.md'), await his.open('/notes.md')];
  const agent = await newAgent(ada.key);
  mine.insert(0, 'by Ada\n');
  theirs.insert(theirs.text.length, 'by Ben\n');
  await agent.call('edit_file', {
    project_id: id,
    path: '/notes.md',
    old_text: 'second line',
    new_text: 'second line by the agent',
  });
  await Promise.all([mine.durable(), theirs.durable()]);
  const whole = 'by Ada\nfirst line\nsecond line by the agent\nby Ben\n';
  await waitFor('both see all of it', () => mine.text === whole && theirs.text === whole);
  await mine.save();
  await agent.close();
  await Promise.all([hers.close(), his.close()]);
  const file = (await ada.client.files.list(id)).data.find((one) => one.path === '/notes.md');
  expect(await (await ada.client.files.read(id, file?.id ?? '')).text()).toBe(whole);
});

test('a comment that names somebody reaches them as a notification, and says where it is', async () => {
  const [ada, ben] = [await newPerson({ name: 'Ada' }), await newPerson({ name: 'Ben' })];
  const id = await projectWith(ada.client, { '/notes.md': 'first line\nsecond line\n' });
  const { id: invited } = await ada.client.collaborators.invite(id, { email: ben.email, role: 'editor' });
  await ben.client.collaborators.accept(id, invited);
  const { username } = await ben.client.user.get();
  await ada.client.projectComments.create(id, {
    file_path: '/notes.md',
    position: { line: 2, column: 1 },
    content: `@${username} is this right?`,
  });
  const told = await waitFor('he is told', async () => {
    const { data } = await ben.client.notifications.list({});
    return data.find(({ type }) => type === 'mention');
  });
  expect(JSON.stringify(told)).toContain('/notes.md');
});
