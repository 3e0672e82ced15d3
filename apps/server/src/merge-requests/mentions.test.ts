import type { Notification, ReviewComment, ReviewThread } from '@bottega/contract';
import { expect, test } from 'vitest';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { call } from '../testing/clients/http-client.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { forked, offer } from './forks.fixture.ts';
import { ask, opened } from './merge-requests.fixture.ts';
import { write } from './queue.fixture.ts';

const service = useTestService({ role: 'api' });
const client = useGitClient(service);

async function memberOf(projectId: string): Promise<TestUser> {
  const user = await service.createUser();
  await addCollaborator(service, projectId, user, { role: 'editor' });
  return user;
}

async function toldTo(user: TestUser): Promise<Notification[]> {
  const answer = await call<{ data: Notification[] }>('GET', `${service.url}/v1/notifications`, { token: user.key });
  return answer.body.data;
}
const typesTo = async (user: TestUser) => (await toldTo(user)).map(({ type }) => type);
const mentionsTo = async (user: TestUser) =>
  (await toldTo(user)).flatMap((one) => (one.type === 'merge_request_mention' ? [one.data] : []));

/** An open request, and two members who have nothing to do with it yet. */
async function cast(description = '') {
  const place = await opened(service, client, { description });
  const [ben, cleo] = [await memberOf(place.projectId), await memberOf(place.projectId)];
  const send = (path: string, json: Record<string, unknown>, by: TestUser = place.user, method = 'POST') =>
    ask<ReviewThread & ReviewComment>({ ...place, user: by }, method, `/${place.number}${path}`, json);
  return { place, ben, cleo, send };
}

test('A description notifies members when it is written, and those whom an edit adds', async () => {
  const { place, ben, cleo, send } = await cast();
  const stranger = await service.createUser();
  for (const description of [
    `For @${ben.username}, @${stranger.username} and me, @${place.user.username}`,
    `For @${ben.username} and @${cleo.username}`,
    '',
    `For @${ben.username}`,
  ]) {
    expect((await send('', { description }, place.user, 'PATCH')).status).toBe(200);
  }
  const { number } = place;
  const data = { number, title: 'Say three', mentioned_in: `!${number}`, excerpt: expect.stringMatching(/^For @/) };
  expect(await mentionsTo(ben)).toEqual([data]);
  expect(await mentionsTo(cleo)).toEqual([data]);
  expect(await toldTo(stranger)).toEqual([]);
  expect(await toldTo(place.user)).toEqual([]);
});

test('Somebody who is asked for a review is not notified of the description too', async () => {
  const { place, ben, cleo } = await cast();
  await write(place, 'other', '/other.txt', 'other\n');
  const description = `@${ben.username} please, and @${cleo.username} to know`;
  const json = { source: 'other', title: 'Other', description, reviewers: [ben.id] };
  expect((await ask(place, 'POST', '', json)).status).toBe(201);
  expect(await typesTo(ben)).toEqual(['review_requested']);
  expect(await typesTo(cleo)).toEqual(['merge_request_mention']);
});

test('A comment notifies everybody once: either as mentioned or as a participant of the thread', async () => {
  const { place, ben, cleo, send } = await cast();
  const { body: thread } = await send('/threads', { body: `What do you think, @${cleo.username}?` }, ben);
  expect(await mentionsTo(cleo)).toMatchObject([
    { thread_id: thread.id, mentioned_in: thread.comments[0]?.id, excerpt: `What do you think, @${cleo.username}?` },
  ]);
  expect(await typesTo(place.user)).toEqual(['merge_request_comment']);
  const said = `@${place.user.username}, \`@${ben.username}\` is code`;
  await send(`/threads/${thread.id}/comments`, { body: said }, cleo);
  expect(await typesTo(place.user)).toEqual(['merge_request_mention', 'merge_request_comment']);
  expect(await typesTo(ben), 'as an author in the thread').toEqual(['merge_request_comment']);
});

test('An edited comment notifies only people whom it did not mention before', async () => {
  const { ben, cleo, send } = await cast();
  const { body: thread } = await send('/threads', { body: `@${ben.username}` });
  const path = `/comments/${thread.comments[0]?.id}`;
  for (const body of [`@${ben.username} and @${cleo.username}`, 'Nobody', `@${ben.username}`]) {
    expect((await send(path, { body }, undefined, 'PATCH')).status).toBe(200);
  }
  expect(await mentionsTo(ben)).toHaveLength(1);
  expect(await mentionsTo(cleo)).toMatchObject([{ thread_id: thread.id }]);
});

test('Drafts notify nobody until their review is sent, which then notifies everybody once', async () => {
  const { place, ben, cleo, send } = await cast();
  const { body: first } = await send('/threads', { body: `@${cleo.username}: one`, draft: true }, ben);
  await send('/threads', { body: `@${cleo.username}: two`, draft: true }, ben);
  const edited = { body: `@${cleo.username}: edited` };
  await send(`/comments/${first.comments[0]?.id}`, edited, ben, 'PATCH');
  expect(await toldTo(cleo)).toEqual([]);
  const submitted = {
    event: 'COMMENT',
    body: `Done, @${place.user.username}`,
    comments: [{ body: `@${cleo.username}` }],
  };
  expect((await send('/reviews', submitted, ben)).status).toBe(201);
  expect(await mentionsTo(cleo)).toMatchObject([{ thread_id: first.id, excerpt: edited.body }]);
  expect(await typesTo(place.user), 'of the review, and not of a mention in it').toEqual(['review_submitted']);
});

test('At most twenty people are notified of one text', async () => {
  const { place, send } = await cast();
  const people = await Promise.all(Array.from({ length: 21 }, () => memberOf(place.projectId)));
  await send('/threads', { body: people.map(({ username }) => `@${username}`).join(' ') });
  const told = await Promise.all(people.map(async (user) => (await mentionsTo(user)).length));
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(20);
});

test('The answer to a comment is the same whether or not an account with the mentioned name exists', async () => {
  const { send } = await cast();
  const stranger = await service.createUser();
  const shape = async (body: string) => {
    const { status, body: thread } = await send('/threads', { body });
    return [status, Object.keys(thread), thread.comments.map((one) => Object.keys(one))];
  };
  expect(await shape(`@${stranger.username}`)).toEqual(await shape('@no-account-has-this-name'));
});

test('An outside author can notify only members who take part, and is notified of replies', async () => {
  const place = await forked(service);
  const { projectId } = place.project;
  const [taking, other] = [await memberOf(projectId), await memberOf(projectId)];
  await write(place.fork, 'feature', '/b.txt', 'one\n');
  const everybody = `@${taking.username} @${other.username}`;
  const made = await offer(place, { description: everybody });
  expect(made.status, made.text).toBe(201);
  expect(await toldTo(taking)).toEqual([]);
  const at = `/${made.body.number}/threads`;
  const question = { body: `Why, @${place.outside.user.username}?` };
  await ask({ ...place.project, user: taking }, 'POST', at, question);
  expect(await typesTo(place.outside.user)).toEqual(['merge_request_comment']);
  expect((await ask(place.outside, 'POST', at, { body: everybody })).status).toBe(201);
  expect(await typesTo(taking)).toEqual(['merge_request_mention']);
  expect(await toldTo(other)).toEqual([]);
});
