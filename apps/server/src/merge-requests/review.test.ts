import type { Commit, Review, ReviewComment, ReviewThread, ViewedFiles } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { change } from '../repository/merging/merging.fixture.ts';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { conflicting, expectError, invalid, missing, refused } from '../testing/clients/expect-error.ts';
import { eventsOf } from '../testing/samples/sample-collaborators.ts';
import { contentAt, type Place, putFile } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { ask, type Opened, opened as openedIn, push } from './merge-requests.fixture.ts';

const service = useTestService();
const client = useGitClient(service);

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}\n`).join('');
const files = {
  base: { 'a.txt': lines(1, 20), 'b.txt': 'b\n' },
  ours: { 'c.txt': 'ours\n' },
  theirs: { 'a.txt': `${lines(1, 9)}changed\n${lines(11, 20)}`, 'b.txt': 'B\n' },
};

/** An open request, with a reviewer who may write. */
async function reviewed(): Promise<{ place: Opened; reviewer: Opened }> {
  const place = await openedIn(service, client, { files });
  const user = await service.createUser();
  await addCollaborator(service, place.projectId, user, { role: 'editor', permissions: ['read', 'write', 'comment'] });
  return { place, reviewer: { ...place, user } };
}

const begin = async (place: Opened, json: Record<string, unknown>) => {
  const answer = await ask<ReviewThread>(place, 'POST', `/${place.number}/threads`, { body: 'Why?', ...json });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const threads = async (place: Opened) =>
  (await ask<{ data: ReviewThread[] }>(place, 'GET', `/${place.number}/threads`)).body.data;
const submit = (place: Opened, json: Record<string, unknown>) =>
  ask<Review>(place, 'POST', `/${place.number}/reviews`, json);
const reviews = async (place: Opened) =>
  (await ask<{ data: Review[] }>(place, 'GET', `/${place.number}/reviews`)).body.data;

describe('a thread', () => {
  test('is about lines, a file or the whole request, and has replies', async () => {
    const { place, reviewer } = await reviewed();
    const thread = await begin(reviewer, { path: '/a.txt', start_line: 9, line: 10 });
    expect(thread).toMatchObject({ path: '/a.txt', side: 'RIGHT', start_line: 9, line: 10, outdated: false });
    expect(thread.origin.text).toBe('line 9\nchanged');
    expect(await begin(reviewer, { path: '/b.txt' })).toMatchObject({ path: '/b.txt', line: null });
    expect(await begin(reviewer, {})).toMatchObject({ path: null, line: null });
    const said = { body: 'Because' };
    const reply = await ask<ReviewComment>(place, 'POST', `/${place.number}/threads/${thread.id}/comments`, said);
    expect(reply.body).toMatchObject({ ...said, author: { id: place.user.id }, draft: false });
    expect((await threads(place))[0]?.comments.map(({ body }) => body)).toEqual(['Why?', 'Because']);
  });

  test('can be about a line with a character that the database cannot store', async () => {
    const theirs = { ...files.theirs, 'long.txt': `${'x'.repeat(8_000)}\nnul: \0\n` };
    const place = await openedIn(service, client, { files: { ...files, theirs } });
    const thread = await begin(place, { path: '/long.txt', line: 2 });
    expect(thread.origin.text).toBe('nul: \uFFFD');
    expect((await threads(place))[0]).toMatchObject({ path: '/long.txt', line: 2, outdated: false });
  });

  test('can be about a picture or a deleted file, and stays there in later versions', async () => {
    const binary = Buffer.from([0x89, 0, 1]);
    const theirs = { ...files.theirs, 'b.txt': null, 'picture.png': binary };
    const place = await openedIn(service, client, { files: { ...files, theirs } });
    await begin(place, { path: '/picture.png' });
    await begin(place, { path: '/b.txt' });
    await place.clone.git('checkout', '--quiet', 'feature');
    await change(place.clone, 'More', { 'more.txt': 'more\n' });
    await push(place);
    expect((await threads(place)).map(({ path, outdated }) => [path, outdated])).toEqual([
      ['/picture.png', false],
      ['/b.txt', false],
    ]);
    const none = await ask(place, 'POST', `/${place.number}/threads`, { body: 'x', path: '/none.png' });
    expectError(none, { ...invalid, field: 'path' });
  });

  test('is refused for lines that do not exist', async () => {
    const { place } = await reviewed();
    const create = (json: Record<string, unknown>) =>
      ask(place, 'POST', `/${place.number}/threads`, { body: 'x', ...json });
    expectError(await create({ path: '/a.txt', line: 21 }), { ...invalid, field: 'line' });
    expectError(await create({ path: '/a.txt', start_line: 5, line: 4 }), { ...invalid, field: 'start_line' });
    expectError(await create({ path: '/none.txt', line: 1 }), { ...invalid, field: 'path' });
    expectError(await create({ line: 1 }), { ...invalid, field: 'path' });
    expectError(await create({ path: '/a.txt', line: 1, version: 7 }), missing);
  });

  test('follows its line through pushes above it, a rebase and a rename, and is outdated once the line is gone', async () => {
    const { place, reviewer } = await reviewed();
    const { clone } = place;
    await begin(reviewer, { path: '/a.txt', line: 10 });
    await begin(reviewer, { path: '/a.txt', line: 10, side: 'LEFT' });
    const at = async () => (await threads(place)).map(({ path, line, outdated }) => [path, line, outdated]);
    await clone.git('checkout', '--quiet', 'feature');
    await change(clone, 'Above', { 'a.txt': `new\n${lines(1, 9)}changed\n${lines(11, 20)}` });
    await push(place);
    expect(await at()).toEqual([
      ['/a.txt', 11, false],
      ['/a.txt', 10, false],
    ]);
    await clone.git('rebase', '--quiet', 'main');
    await clone.git('mv', 'a.txt', 'moved.txt');
    await change(clone, 'Move', { 'moved.txt': `new\nnewer\n${lines(1, 9)}changed\n${lines(11, 20)}` });
    await push(place, '--force');
    expect((await at())[0]).toEqual(['/moved.txt', 12, false]);
    await change(clone, 'Otherwise', { 'moved.txt': lines(1, 20) });
    await push(place);
    expect((await at())[0]?.[2]).toBe(true);
    await clone.git('reset', '--quiet', '--hard', 'HEAD~1');
    await push(place, '--force');
    expect((await at())[0], 'the line is there again').toEqual(['/moved.txt', 12, false]);
  });

  test('has line numbers of the commit that the list names, even after a write that is not yet a version', async () => {
    const { place } = await reviewed();
    await begin(place, { path: '/a.txt', line: 10 });
    const content = `first\n${files.theirs['a.txt']}`;
    const written = await putFile(place, { path: '/a.txt', content, branch: 'feature' });
    const { body } = await ask(place, 'GET', `/${place.number}/threads`);
    expect(body).toMatchObject({ head_sha: written.body.commit_sha, data: [{ line: 11 }] });
  });

  test('is resolved and reopened, and disappears with its last comment', async () => {
    const { place, reviewer } = await reviewed();
    const thread = await begin(reviewer, { path: '/a.txt', line: 3 });
    const set = (resolved: boolean) =>
      ask<ReviewThread>(place, 'PATCH', `/${place.number}/threads/${thread.id}`, { resolved });
    expect((await set(true)).body).toMatchObject({ resolved: true, resolved_by: { id: place.user.id } });
    expect((await set(false)).body).toMatchObject({ resolved: false, resolved_by: null, resolved_at: null });
    const [comment] = thread.comments;
    const address = `/${place.number}/comments/${comment?.id}`;
    expectError(await ask(place, 'PATCH', address, { body: 'mine now' }), refused);
    expect((await ask(reviewer, 'PATCH', address, { body: 'How?' })).body).toMatchObject({ body: 'How?' });
    expect((await ask(place, 'DELETE', address)).status).toBe(204);
    expect(await threads(place)).toEqual([]);
  });

  test('is reported by events when it is begun, answered, changed, resolved, reopened and deleted', async () => {
    const { place, reviewer } = await reviewed();
    const thread = await begin(reviewer, { path: '/a.txt', start_line: 9, line: 10 });
    const ofThread = `/${place.number}/threads/${thread.id}`;
    const { body: answer } = await ask<ReviewComment>(place, 'POST', `${ofThread}/comments`, { body: 'Because' });
    await ask(place, 'PATCH', `/${place.number}/comments/${answer.id}`, { body: 'Therefore' });
    for (const resolved of [true, true, false]) await ask(reviewer, 'PATCH', ofThread, { resolved });
    await ask(reviewer, 'DELETE', `/${place.number}/comments/${answer.id}`);
    await ask(place, 'DELETE', `/${place.number}/comments/${answer.id}`);
    const told = (await eventsOf(service, place.projectId, 'review.commented')).map(({ data }) => data);
    const ada = { id: place.user.id };
    const bob = { id: reviewer.user.id };
    expect(told).toMatchObject([
      { action: 'created', comment_id: thread.comments[0]?.id, body: 'Why?', author: bob },
      { action: 'created', comment_id: answer.id, body: 'Because', author: ada },
      { action: 'edited', comment_id: answer.id, body: 'Therefore', author: ada },
      { action: 'resolved', comment_id: null, body: null, author: bob },
      { action: 'reopened', comment_id: null, body: null, author: bob },
      { action: 'deleted', comment_id: answer.id, body: null, author: ada },
    ]);
    const url = `${service.url}/projects/${place.projectId}/merge-requests/${place.number}?thread=${thread.id}`;
    for (const data of told) expect(data).toMatchObject({ thread_id: thread.id, path: '/a.txt', line: 10, url });
  });

  test('is reported by no event while it is a draft, whatever happens to it', async () => {
    const { place, reviewer } = await reviewed();
    const draft = await begin(reviewer, { path: '/a.txt', line: 10, draft: true });
    const thread = await begin(place, { path: '/b.txt', line: 1 });
    const said = { body: 'psst', draft: true };
    await ask(reviewer, 'POST', `/${place.number}/threads/${thread.id}/comments`, said);
    const address = `/${place.number}/comments/${draft.comments[0]?.id}`;
    expect((await ask(reviewer, 'PATCH', address, { body: 'How?' })).status).toBe(200);
    expect((await ask(reviewer, 'DELETE', address)).status).toBe(204);
    expect((await submit(reviewer, { event: 'COMMENT' })).status).toBe(201);
    const told = await eventsOf(service, place.projectId, 'review.%');
    expect(told.map(({ type }) => type)).toEqual(['review.commented', 'review.submitted']);
  });

  test('is refused to people who may only read', async () => {
    const { place } = await reviewed();
    const viewer = await service.createUser();
    await addCollaborator(service, place.projectId, viewer, { role: 'viewer', permissions: ['read'] });
    const asViewer = { ...place, user: viewer };
    expectError(await ask(asViewer, 'POST', `/${place.number}/threads`, { body: 'x' }), refused);
    expectError(await submit(asViewer, { event: 'APPROVE' }), refused);
    expect(await threads(asViewer)).toEqual([]);
  });
});

describe('the limit of comments', () => {
  /** Fills a request that has two short comments. About nine thousand bytes are left for its text. */
  async function fill(place: Opened, threadId: string) {
    await service.pool.query(
      `insert into merge_request_comments (id, thread_id, project_id, number, author_id, body, draft)
       select 'mrc_' || right($2, 20) || lpad(n::text, 6, '0'), $1, $2, $3, $4, repeat('x', 3355), false from generate_series(1, 4998) n`,
      [threadId, place.projectId, place.number, place.user.id],
    );
  }

  test('lets comments be changed as long as their text does not exceed it', async () => {
    const { place } = await reviewed();
    const { comments } = await begin(place, {});
    await fill(place, (await begin(place, {})).id);
    const edit = (body: string) =>
      ask<ReviewComment>(place, 'PATCH', `/${place.number}/comments/${comments[0]?.id}`, { body });
    expectError(await ask(place, 'POST', `/${place.number}/threads`, { body: 'x' }), conflicting);
    expect((await edit('x'.repeat(5_000))).body.body).toHaveLength(5_000);
    expectError(await edit('x'.repeat(10_000)), conflicting);
    expect((await edit('Why not?')).body.body).toBe('Why not?');
  });

  test('also applies to the texts of reviews, but not to verdicts and drafts without a text', async () => {
    const { place, reviewer } = await reviewed();
    await begin(reviewer, { draft: true });
    await fill(place, (await begin(place, {})).id);
    expectError(await submit(place, { event: 'COMMENT', body: 'One more' }), conflicting);
    expect((await submit(reviewer, { event: 'COMMENT' })).status).toBe(201);
    expect((await submit(reviewer, { event: 'APPROVE' })).status).toBe(201);
    const { comments } = (await threads(place))[0] ?? {};
    expect((await ask(place, 'DELETE', `/${place.number}/comments/${comments?.[0]?.id}`)).status).toBe(204);
    expect((await submit(place, { event: 'COMMENT', body: 'One more' })).status).toBe(201);
    expectError(await ask(place, 'POST', `/${place.number}/threads`, { body: 'x' }), conflicting);
  });

  test('exists for reviews too, even without a text', async () => {
    const { place } = await reviewed();
    await service.pool.query(
      `insert into merge_request_reviews (id, project_id, number, author_id, event, body, version, patch_id)
       select 'mrr_' || lpad(n::text, 26, '0'), $1, $2, $3, 'REQUEST_CHANGES', '', 1, '' from generate_series(1, 4999) n`,
      [place.projectId, place.number, place.user.id],
    );
    expect((await submit(place, { event: 'REQUEST_CHANGES' })).status).toBe(201);
    expectError(await submit(place, { event: 'REQUEST_CHANGES' }), conflicting);
    await begin(place, {});
  });
});

describe('a review', () => {
  test('shows its drafts when it is submitted, and hides them from others before', async () => {
    const { place, reviewer } = await reviewed();
    const draft = await begin(reviewer, { path: '/a.txt', line: 10, draft: true });
    expect(await threads(place)).toEqual([]);
    expect((await threads(reviewer)).map(({ id }) => id)).toEqual([draft.id]);
    const reply = { body: 'psst' };
    expectError(await ask(place, 'POST', `/${place.number}/threads/${draft.id}/comments`, reply), missing);
    expectError(await ask(place, 'DELETE', `/${place.number}/comments/${draft.comments[0]?.id}`), missing);
    const comments = [{ path: '/b.txt', line: 1, body: 'Second' }];
    expect((await submit(reviewer, { event: 'REQUEST_CHANGES', body: 'Two things', comments })).status).toBe(201);
    expect((await threads(place)).map(({ comments: [one] }) => [one?.body, one?.draft])).toEqual([
      ['Why?', false],
      ['Second', false],
    ]);
    expect(await reviews(place)).toMatchObject([{ event: 'REQUEST_CHANGES', body: 'Two things', holds: true }]);
  });

  test('is refused if it approves the author’s own request or an older version, or is empty', async () => {
    const { place, reviewer } = await reviewed();
    expectError(await submit(place, { event: 'APPROVE' }), refused);
    expectError(await submit(reviewer, { event: 'COMMENT' }), { ...invalid, field: 'body' });
    expectError(await submit(reviewer, { event: 'APPROVE', head_sha: '0'.repeat(40) }), conflicting);
    const comments = [{ path: '/a.txt', line: 99, body: 'x' }];
    expectError(await submit(reviewer, { event: 'APPROVE', comments }), { ...invalid, field: 'comments.0.line' });
    expect(await reviews(place)).toEqual([]);
  });

  test('that approves remains valid after a clean rebase, and is no longer valid after a line changes', async () => {
    const { place, reviewer } = await reviewed();
    const { clone } = place;
    await submit(reviewer, { event: 'APPROVE' });
    const holds = async () => (await reviews(place)).map((review) => review.holds);
    expect(await holds()).toEqual([true]);
    await change(clone, 'Elsewhere', { 'a.txt': `zero\n${lines(1, 20)}` });
    await clone.git('push', '--quiet', 'origin', 'main');
    await clone.git('checkout', '--quiet', 'feature');
    await clone.git('rebase', '--quiet', 'main');
    await push(place, '--force');
    expect(await holds()).toEqual([true]);
    await change(clone, 'More', { 'b.txt': 'BB\n' });
    await push(place);
    expect(await holds()).toEqual([false]);
    await submit(reviewer, { event: 'REQUEST_CHANGES', body: 'No' });
    expect(await holds()).toEqual([false, true]);
    await submit(reviewer, { event: 'APPROVE' });
    expect(await holds()).toEqual([false, false, true]);
  });
});

describe('suggestions', () => {
  const suggestion = (...text: string[]) => ['```suggestion', ...text, '```'].join('\n');
  const apply = (place: Opened, all: ReviewThread[]) =>
    ask<Commit>(place, 'POST', `/${place.number}/suggestions/apply`, {
      comments: all.map(({ comments }) => comments[0]?.id),
    });

  test('are applied as one commit on the source, at the current place of their lines', async () => {
    const { place, reviewer } = await reviewed();
    const one = await begin(reviewer, { path: '/a.txt', line: 10, body: suggestion('better') });
    const other = await begin(reviewer, { path: '/b.txt', line: 1, body: suggestion() });
    await place.clone.git('checkout', '--quiet', 'feature');
    await change(place.clone, 'Above', { 'a.txt': `new\n${lines(1, 9)}changed\n${lines(11, 20)}` });
    await push(place);
    const answer = await apply(place, [one, other]);
    expect(answer.status, answer.text).toBe(201);
    const source: Place = { ...place, branch: 'feature' };
    expect(await contentAt(source, '/a.txt')).toBe(`new\n${lines(1, 9)}better\n${lines(11, 20)}`);
    expect(await contentAt(source, '/b.txt')).toBe('');
    expect((await threads(place))[0]?.comments[0]?.applied_sha).toBe(answer.body.sha);
  });

  test('are refused if their lines are gone, if they overlap, or if a comment has none', async () => {
    const { place, reviewer } = await reviewed();
    const one = await begin(reviewer, { path: '/a.txt', line: 10, body: suggestion('x') });
    const over = await begin(reviewer, { path: '/a.txt', start_line: 9, line: 11, body: suggestion('y') });
    const none = await begin(reviewer, { path: '/a.txt', line: 1 });
    expectError(await apply(place, [one, over]), conflicting);
    expectError(await apply(place, [none]), conflicting);
    expect((await apply(place, [one])).status).toBe(201);
    expectError(await apply(place, [one]), conflicting);
  });
});

test('a mark that a file was viewed is removed when the file changes', async () => {
  const { place, reviewer } = await reviewed();
  const mark = (user: TestUser, json: Record<string, unknown>) =>
    ask<ViewedFiles>({ ...place, user }, 'PUT', `/${place.number}/viewed`, json);
  const viewed = async ({ number, ...at }: Opened) =>
    (await ask<ViewedFiles>(at, 'GET', `/${number}/viewed`)).body.paths;
  const paths = ['/a.txt', '/b.txt', '/not-changed.txt'];
  expect((await mark(reviewer.user, { paths, viewed: true })).body.paths).toEqual(['/a.txt', '/b.txt']);
  expect(await viewed(place)).toEqual([]);
  await place.clone.git('checkout', '--quiet', 'feature');
  await change(place.clone, 'More', { 'a.txt': 'other\n' });
  await push(place);
  expect(await viewed(reviewer)).toEqual(['/b.txt']);
  expect((await mark(reviewer.user, { paths: ['/b.txt'], viewed: false })).body.paths).toEqual([]);
});
