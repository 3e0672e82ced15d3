import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { commit, newPlace } from '../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { onTemplates } from './templates.fixture.ts';

const service = useTestService();
const invalid = { status: 422, code: 'VALIDATION_ERROR' } as const;
const long = { name: 'long', type: 'string', max_length: 10_000, default: 'x'.repeat(10_000) };

/** A template of this many files, each of which a long value expands to a megabyte. */
async function growing(admin: TestUser, files: number) {
  const place = await newPlace(service, {}, admin);
  const changes = Array.from({ length: files }, (_, index) => ({
    action: 'create',
    path: `/${index}.txt`,
    content: '{{long}}'.repeat(105),
  }));
  expect((await commit(place, changes)).status).toBe(201);
  const body = { project_id: place.projectId, name: 'Grows', visibility: 'public', variables: [long] };
  const { body: template, status, text } = await onTemplates(service, admin, ['POST', '', body]);
  expect(status, text).toBe(201);
  return template;
}

describe('a template that grows when it is filled in', () => {
  test('can be neither previewed nor used if it becomes too large', async () => {
    const admin = await service.createUser({ isAdmin: true });
    const template = await growing(admin, 60);
    const previews = await Promise.all([1, 2, 3].map(() => call('GET', template.preview_url)));
    for (const preview of previews) expectError(preview, invalid);
    const json = { name: 'From it', template: template.id };
    const started = await call('POST', `${service.url}/v1/projects`, { token: admin.key, json });
    expectError(started, invalid);
  });

  test('is not filled in again for a preview after it became too large, until it changes', async () => {
    const admin = await service.createUser({ isAdmin: true });
    const template = await growing(admin, 60);
    expectError(await call('GET', template.preview_url), invalid);
    await service.db.deleteFrom('template_files').where('template_id', '=', template.id).execute();
    expectError(await call('GET', template.preview_url), invalid);
    const renamed = await onTemplates(service, admin, ['PATCH', `/${template.id}`, { name: 'Another' }]);
    expect(renamed.status, renamed.text).toBe(200);
    expect((await call('GET', template.preview_url)).status).toBe(404);
  });

  test('can be previewed and used while it stays within the limit', async () => {
    const admin = await service.createUser({ isAdmin: true });
    const template = await growing(admin, 10);
    const page = await call<string>('GET', template.preview_url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('10 files');
    const json = { name: 'From it', template: template.id };
    expect((await call('POST', `${service.url}/v1/projects`, { token: admin.key, json })).status).toBe(201);
  });

  test('cannot be published if its variables together may become too long', async () => {
    const admin = await service.createUser();
    const place = await newPlace(service, {}, admin);
    expect((await commit(place, [{ action: 'create', path: '/a.txt', content: 'a' }])).status).toBe(201);
    const variables = Array.from({ length: 7 }, (_, index) => ({ ...long, name: `long${index}` }));
    const body = { project_id: place.projectId, name: 'Grows', variables };
    expectError(await onTemplates(service, admin, ['POST', '', body]), { ...invalid, field: 'variables' });
  });
});
