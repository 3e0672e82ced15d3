import type { Collaborator, ProjectDetail, ProjectListItem } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../testing/clients/http-client.ts';
import {
  addCollaborator,
  createProject,
  listProjects,
  onProject,
  readProject,
} from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const service = useTestService();

let owner: TestUser;
let viewer: TestUser;
let stranger: TestUser;
let open: string;
beforeAll(async () => {
  owner = await service.createUser({ name: 'Olga' });
  viewer = await service.createUser({ name: 'Vera' });
  stranger = await service.createUser();
  const settings = { public: true };
  open = (await createProject(service, owner, { name: 'Open Source', description: 'for all', settings })).id;
  await addCollaborator(service, open, viewer, { role: 'viewer' });
  await createProject(service, owner, { name: 'Closed Source' });
});

const publicOnes = (user: TestUser, more = '') => listProjects(service, user, `?visibility=public${more}`);
const peopleOf = async (user: TestUser) =>
  (await onProject<{ data: Collaborator[] }>(service, user, `${open}/collaborators`, ['GET'])).body.data;

describe('the addresses and usernames of people in a public project', () => {
  test('are visible to its owner and its collaborators', async () => {
    for (const user of [owner, viewer]) {
      const project = await readProject(service, user, open);
      expect(project).toMatchObject({ owner: { email: owner.email }, collaborators: [{ email: viewer.email }] });
      expect(project.owner.username).toBe(owner.username);
      expect((await peopleOf(user))[0]?.user).toMatchObject({ email: viewer.email, username: viewer.username });
    }
  });

  test('are empty for everybody else, who can see only the names', async () => {
    const { body, text } = await onProject<ProjectDetail>(service, stranger, open, ['GET']);
    expect(body).toMatchObject({ owner: { name: 'Olga', email: '' }, collaborators: [{ name: 'Vera', email: '' }] });
    expect(body.owner.username).toBe('');
    expect((await peopleOf(stranger))[0]?.user).toMatchObject({ name: 'Vera', username: null });
    const people = await onProject(service, stranger, `${open}/collaborators`, ['GET']);
    const listed = await call('GET', `${service.url}/v1/projects?visibility=public`, { token: stranger.key });
    for (const said of [text, people.text, listed.text]) {
      expect(said).not.toContain(owner.email);
      expect(said).not.toContain(viewer.email);
    }
  });
});

describe('the list of public projects', () => {
  const named = ({ data }: { data: ProjectListItem[] }) => data.map(({ name }) => name);

  test('is visible to everybody, and has no projects that are private, deleted or owned by a suspended account', async () => {
    const gone = await createProject(service, owner, { name: 'Gone', settings: { public: true } });
    await onProject(service, owner, gone.id, ['DELETE']);
    const suspended = await service.createUser();
    await createProject(service, suspended, { name: 'Spam', settings: { public: true } });
    await service.db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended.id).execute();
    const { data, pagination } = await publicOnes(stranger);
    expect(named({ data })).toEqual(['Open Source']);
    expect(pagination.total).toBe(1);
    expect(data[0]?.stats).toMatchObject({ collaborators_count: 1 });
    expect(named(await listProjects(service, stranger))).toEqual([]);
  });

  test('can be searched, sorted and paged like one’s own projects', async () => {
    for (const name of ['Alpha_1', 'Beta'])
      await createProject(service, stranger, { name, settings: { public: true } });
    expect(named(await publicOnes(viewer, '&search=FOR%20ALL'))).toEqual(['Open Source']);
    expect(named(await publicOnes(viewer, '&search=a_1'))).toEqual(['Alpha_1']);
    expect(named(await publicOnes(viewer, '&sort=name&order=asc'))).toEqual(['Alpha_1', 'Beta', 'Open Source']);
    const second = await publicOnes(viewer, '&sort=name&order=asc&limit=1&page=2');
    expect(named(second)).toEqual(['Beta']);
    expect(second.pagination).toMatchObject({ total: 3, total_pages: 3 });
    expect(named(await publicOnes(viewer, '&status=archived'))).toEqual([]);
  });
});
