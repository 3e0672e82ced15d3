import type { ErrorBody } from '@bottega/contract';
import type { Static } from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from './http-client.ts';
import { createProject } from './sample-projects.ts';
import { type TestUser, useTestService } from './test-service.ts';

const service = useTestService({ role: 'api' });
let user: TestUser;
let projectId: string;
beforeAll(async () => {
  user = await service.createUser();
  projectId = (await createProject(service, user)).id;
});

async function refusedFields(method: string, path: string, json: unknown): Promise<string[]> {
  const url = `${service.url}${path.replace('{project}', projectId)}`;
  const answer = await call<Static<typeof ErrorBody>>(method, url, { token: user.key, json });
  expect(answer.status, answer.text).toBe(422);
  const { code, details } = answer.body.error;
  expect(code).toBe('VALIDATION_ERROR');
  const rows = Array.isArray(details) ? details : (details as { fields: { field: string }[] }).fields;
  return rows.map(({ field }) => field).sort();
}

describe('Platform API, Errors, VALIDATION_ERROR: one answer lists every field', () => {
  const bad = { url: 'ftp://example.com', events: ['file.updated', 'no.such'], headers: { Host: 'x' }, timeout: 3600 };
  test.each<[what: string, method: string, path: string, body: unknown, fields: string[]]>([
    [
      'a webhook',
      'POST',
      '/api/webhooks',
      { ...bad, name: '', project_id: 7 },
      ['events.1', 'headers.Host', 'name', 'project_id', 'timeout', 'url'],
    ],
    [
      'a webhook, by rules alone',
      'POST',
      '/v1/webhooks',
      { ...bad, project_id: 'prj_unknown' },
      ['events.1', 'headers.Host', 'project_id', 'timeout', 'url'],
    ],
    ['a project', 'POST', '/v1/projects', { name: '', template: 'no-such' }, ['name', 'template']],
    [
      'a file',
      'PUT',
      '/v1/projects/{project}/files',
      { path: '/a/../b', content: '!', encoding: 'base64', message: '' },
      ['content', 'message', 'path'],
    ],
    [
      'a file of an encoding that is no text',
      'PUT',
      '/v1/projects/{project}/files',
      { path: '/a/../b', content: 'x', encoding: { no: 'text' } },
      ['encoding', 'path'],
    ],
    [
      'a file, by rules alone',
      'PUT',
      '/v1/projects/{project}/files',
      { path: '/a/../b', content: '!', encoding: 'base64' },
      ['content', 'path'],
    ],
    [
      'a commit',
      'POST',
      '/v1/projects/{project}/commits',
      {
        message: '',
        changes: [
          { action: 'create', path: '/.git/x' },
          { action: 'move', path: '/a//b', new_path: '/..' },
        ],
      },
      ['changes.0.content', 'changes.0.path', 'changes.1.new_path', 'changes.1.path', 'message'],
    ],
    [
      'a deployment',
      'POST',
      '/v1/projects/{project}/deployments',
      { environment: 'Not One', branch: 'no-such' },
      ['branch', 'environment'],
    ],
    [
      'an invitation',
      'POST',
      '/v1/projects/{project}/collaborators',
      { email: 'nobody', permissions: ['write'] },
      ['email', 'permissions'],
    ],
    [
      'the user',
      'PATCH',
      '/v1/user',
      { name: '', preferences: { language: 'en-a-a' } },
      ['name', 'preferences.language'],
    ],
    [
      'a session',
      'POST',
      '/v1/collaboration/sessions',
      { name: '', workspace_id: 'prj_unknown', permissions: { read: false } },
      ['name', 'permissions.read', 'workspace_id'],
    ],
  ])('of %s that is refused', async (_what, method, path, body, fields) => {
    expect(await refusedFields(method, path, body)).toEqual(fields);
  });

  test('of a webhook that is changed', async () => {
    const input = { url: 'https://example.com/in', events: ['*'], name: 'Mine' };
    const made = await call<{ webhook_id: string }>('POST', `${service.url}/api/webhooks`, {
      token: user.key,
      json: input,
    });
    const path = `/api/webhooks/${made.body.webhook_id}`;
    expect(await refusedFields('PUT', path, bad)).toEqual(['events.1', 'headers.Host', 'timeout', 'url']);
    expect(await refusedFields('PUT', path, { ...bad, name: '' })).toContain('name');
  });
});
