import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { commit, contentAt, inProject } from '../testing/samples/sample-files.ts';
import { createProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { filesFrom, listTemplates, onTemplates, projectWith, publish } from './templates.fixture.ts';

const service = useTestService();

const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
const missing = { status: 404, code: 'NOT_FOUND' } as const;
const invalid = { status: 422, code: 'VALIDATION_ERROR' } as const;
const conflict = { status: 409, code: 'CONFLICT' } as const;

describe('a public template', () => {
  test('can be made only by an administrator, when published or later, and so can a featured template', async () => {
    const user = await service.createUser();
    const place = await projectWith(service, user, { '/a.txt': 'a' });
    for (const fields of [{ visibility: 'public' }, { featured: true }]) {
      const body = { project_id: place.projectId, name: 'x', ...fields };
      expectError(await onTemplates(service, user, ['POST', '', body]), forbidden);
    }
    const { template } = await publish(service, user, { '/a.txt': 'a' });
    for (const fields of [{ visibility: 'public' }, { featured: true }]) {
      expectError(await onTemplates(service, user, ['PATCH', `/${template.id}`, fields]), forbidden);
    }
    expect((await onTemplates(service, user, ['GET', `/${template.id}`])).body).toMatchObject({
      visibility: 'private',
      featured: false,
    });
  });

  test('can be listed, read and used by everybody, but not changed by other users', async () => {
    const [admin, user] = [await service.createUser({ isAdmin: true, name: 'Root' }), await service.createUser()];
    const fields = { visibility: 'public', featured: true, name: 'For all' };
    const { template } = await publish(service, admin, { '/a.txt': 'a' }, fields);
    expect(await listTemplates(service, user, '?featured=true')).toContainEqual(template);
    expect(template).toMatchObject({ author: { name: 'Root' }, preview_url: expect.stringMatching(/\/preview\/$/) });
    expect(await filesFrom(service, user, template)).toEqual({ '/a.txt': 'a' });
    expectError(await onTemplates(service, user, ['PATCH', `/${template.id}`, { name: 'x' }]), forbidden);
    expectError(await onTemplates(service, user, ['DELETE', `/${template.id}`]), forbidden);
    expectError(await onTemplates(service, user, ['POST', `/${template.id}/versions`, {}]), forbidden);
    const withdrawn = await onTemplates(service, admin, ['PATCH', `/${template.id}`, { visibility: null }]);
    expect(withdrawn.body.visibility).toBe('private');
    expectError(await onTemplates(service, user, ['GET', `/${template.id}`]), missing);
  });

  test('can be changed and withdrawn by an administrator who is not its author', async () => {
    const [author, admin] = [await service.createUser({ isAdmin: true }), await service.createUser({ isAdmin: true })];
    const { template } = await publish(service, author, { '/a.txt': 'a' }, { visibility: 'public' });
    const answer = await onTemplates(service, admin, ['PATCH', `/${template.id}`, { featured: true }]);
    expect(answer.body).toMatchObject({ featured: true, author: template.author });
    expect((await onTemplates(service, admin, ['DELETE', `/${template.id}`])).status).toBe(204);
  });

  test('can be changed by an author who is no longer an administrator, except for what only they may change', async () => {
    const author = await service.createUser({ isAdmin: true });
    const { template } = await publish(service, author, { '/a.txt': 'a' }, { visibility: 'public' });
    await service.db.updateTable('users').set({ is_admin: false }).where('id', '=', author.id).execute();
    const { key } = await service.createKey(author.id);
    const renamed = await onTemplates(service, { key }, ['PATCH', `/${template.id}`, { ...template, name: 'Other' }]);
    expect(renamed.body, renamed.text).toMatchObject({ name: 'Other', visibility: 'public' });
    expectError(await onTemplates(service, { key }, ['PATCH', `/${template.id}`, { featured: true }]), forbidden);
  });
});

describe('changing a template', () => {
  test('merges fields, resets a field that is null to its default, and accepts what was read', async () => {
    const user = await service.createUser();
    const fields = {
      description: 'd',
      category: 'c',
      language: 'l',
      tags: ['t'],
      variables: [{ name: 'x', type: 'string' }],
    };
    const { template } = await publish(service, user, { '/a.txt': 'a' }, fields);
    const same = await onTemplates(service, user, ['PATCH', `/${template.id}`, template]);
    expect(same.body).toEqual({ ...template, updated_at: expect.any(String) });
    const cleared = { description: null, category: null, language: null, tags: null, variables: null };
    const answer = await onTemplates(service, user, ['PATCH', `/${template.id}`, cleared]);
    expect(answer.body).toMatchObject({
      description: '',
      category: 'other',
      language: 'other',
      tags: [],
      variables: [],
    });
    expect(answer.body).toMatchObject({ name: 'Mine', version: 1, files_count: 1, created_at: template.created_at });
    expect(answer.body.updated_at > template.updated_at).toBe(true);
    expectError(await onTemplates(service, user, ['PATCH', `/${template.id}`, { name: null }]), {
      ...invalid,
      field: 'name',
    });
    expectError(await onTemplates(service, user, ['PATCH', `/${template.id}`, { colour: 1 }]), {
      ...invalid,
      field: 'colour',
    });
  });

  test('is a 403 if the template is built in', async () => {
    const admin = await service.createUser({ isAdmin: true });
    expectError(await onTemplates(service, admin, ['PATCH', '/empty', { name: 'x' }]), forbidden);
    expectError(await onTemplates(service, admin, ['DELETE', '/empty']), forbidden);
    expectError(await onTemplates(service, admin, ['POST', '/empty/versions', {}]), forbidden);
  });

  test('is a 404 if the template is private to somebody else, also for an administrator', async () => {
    const { template } = await publish(service, await service.createUser(), { '/a.txt': 'a' });
    for (const who of [await service.createUser(), await service.createUser({ isAdmin: true })]) {
      expectError(await onTemplates(service, who, ['PATCH', `/${template.id}`, { name: 'x' }]), missing);
      expectError(await onTemplates(service, who, ['DELETE', `/${template.id}`]), missing);
      expectError(await onTemplates(service, who, ['POST', `/${template.id}/versions`, {}]), missing);
    }
  });
});

describe('publishing a template again', () => {
  test('replaces the files and raises the version; projects from the old version keep their files', async () => {
    const user = await service.createUser();
    const { template, place } = await publish(service, user, { '/a.txt': 'one', '/b.txt': 'b' });
    const { id } = await createProject(service, user, { template: template.id });
    await commit(place, [
      { action: 'update', path: '/a.txt', content: 'two' },
      { action: 'delete', path: '/b.txt' },
      { action: 'create', path: '/bottega-template.json', content: '{"variables": [{"name": "x", "type": "string"}]}' },
    ]);
    const answer = await onTemplates(service, user, ['POST', `/${template.id}/versions`]);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({
      id: template.id,
      version: 2,
      files_count: 1,
      variables: [{ name: 'x', type: 'string' }],
    });
    expect(await filesFrom(service, user, answer.body)).toEqual({ '/a.txt': 'two' });
    expect(await contentAt({ service, user, projectId: id }, '/a.txt')).toBe('one');
    const stored = await service.db
      .selectFrom('projects')
      .select('template_version')
      .where('template_id', '=', template.id)
      .orderBy('id')
      .execute();
    expect(stored.map((row) => row.template_version)).toEqual([1, 2]);
  });

  test('takes the files of another project if the request names one, and needs one if its own is gone', async () => {
    const user = await service.createUser();
    const { template, place } = await publish(service, user, { '/a.txt': 'one' });
    await service.pool.query('delete from projects where id = $1', [place.projectId]);
    expectError(await onTemplates(service, user, ['POST', `/${template.id}/versions`, {}]), conflict);
    const other = await projectWith(service, user, { '/c.txt': 'c' });
    const body = { project_id: other.projectId };
    expect((await onTemplates(service, user, ['POST', `/${template.id}/versions`, body])).body.version).toBe(2);
    expectError(await onTemplates(service, user, ['POST', `/${template.id}/versions`, { project_id: 'x' }]), {
      ...invalid,
      field: 'project_id',
    });
  });

  test('gives each project that is created meanwhile the files of one version, never of two', async () => {
    const user = await service.createUser();
    const { template, place } = await publish(service, user, { '/a.txt': '0', '/b.txt': '0' });
    const republish = async () => {
      for (let version = 1; version <= 5; version++) {
        const content = String(version);
        await commit(
          place,
          ['/a.txt', '/b.txt'].map((path) => ({ action: 'update', path, content })),
        );
        expect((await onTemplates(service, user, ['POST', `/${template.id}/versions`])).status).toBe(201);
      }
    };
    const creations = Array.from({ length: 12 }, () => filesFrom(service, user, template));
    const [, ...made] = await Promise.all([republish(), ...creations]);
    for (const files of made) expect(files['/a.txt']).toBe(files['/b.txt']);
  });
});

describe('withdrawing a template', () => {
  test('removes the template and its files, and leaves projects made from it as they are', async () => {
    const user = await service.createUser();
    const { template } = await publish(service, user, { '/a.txt': 'a' });
    const { id } = await createProject(service, user, { template: template.id });
    expect((await onTemplates(service, user, ['DELETE', `/${template.id}`])).status).toBe(204);
    expectError(await onTemplates(service, user, ['GET', `/${template.id}`]), missing);
    expectError(await onTemplates(service, user, ['DELETE', `/${template.id}`]), missing);
    const left = await service.db
      .selectFrom('template_files')
      .select('path')
      .where('template_id', '=', template.id)
      .execute();
    expect(left).toEqual([]);
    expect((await inProject({ service, user, projectId: id }, 'GET', '')).body).toMatchObject({
      template_id: template.id,
    });
  });
});
