import type { ErrorBody } from '@bottega/contract';
import type { Static } from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../clients/http-client.ts';
import { createProject } from '../samples/sample-projects.ts';
import { type TestUser, useTestService } from '../service/test-service.ts';

const service = useTestService({ role: 'api' });
let user: TestUser;
let projectId: string;
beforeAll(async () => {
  user = await service.createUser();
  projectId = (await createProject(service, user)).id;
});

async function refusedFields(method: string, path: string, json: unknown): Promise<string[]> {
  const url = `${service.url}${path.replace('{project}', projectId)}`;
  const body = JSON.parse(JSON.stringify(json).replace('{email}', user.email)) as unknown;
  const answer = await call<Static<typeof ErrorBody>>(method, url, { token: user.key, json: body });
  expect(answer.status, answer.text).toBe(422);
  const { code, details } = answer.body.error;
  expect(code).toBe('VALIDATION_ERROR');
  const rows = Array.isArray(details) ? details : (details as { fields: { field: string }[] }).fields;
  return rows.map(({ field }) => field).sort();
}

describe('Platform API, Errors, VALIDATION_ERROR: one answer lists every invalid field', () => {
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
      'a webhook with several unknown events',
      'POST',
      '/api/webhooks',
      { url: 'https://example.com/in', name: 'Mine', events: ['file.created', 'nope', 'nope2'] },
      ['events.1', 'events.2'],
    ],
    [
      'a webhook by its schema, its rules and what it names',
      'POST',
      '/api/webhooks',
      {
        url: 'ftp://example.com',
        events: ['nope'],
        name: 'Mine',
        project_id: 'prj_unknown',
        headers: { Host: 'x', Date: 'y' },
        filters: { projects: ['prj_unknown', 'prj_unknown2'], paths: [7] },
      },
      ['events.0', 'filters.paths.0', 'headers.Date', 'headers.Host', 'project_id', 'url'],
    ],
    [
      'the user by several fields',
      'PATCH',
      '/v1/user',
      { name: '', email: 'other@example.com', username: '-', preferences: { language: 'en-a-a', theme: 'pink' } },
      ['email', 'name', 'preferences.language', 'preferences.theme', 'username'],
    ],
    [
      'an invitation of the owner',
      'POST',
      '/v1/projects/{project}/collaborators',
      { email: '{email}', role: 'king', permissions: ['write'] },
      ['email', 'permissions', 'role'],
    ],
    [
      'an API key',
      'POST',
      '/v1/user/api-keys',
      { name: '', scopes: ['no:such'], expires_at: '2020-01-01T00:00:00Z' },
      ['expires_at', 'name', 'scopes.0'],
    ],
    [
      'a project with a repository',
      'POST',
      '/v1/projects',
      { name: '', repository: { url: 'file:///etc', branch: 'a..b' } },
      ['name', 'repository.branch', 'repository.url'],
    ],
    [
      'a project with a template and a repository',
      'POST',
      '/v1/projects',
      { name: 'Mine', template: 'no-such', repository: { url: 'https://example.com/a.git' } },
      ['repository', 'template'],
    ],
    [
      'a project with values and no template',
      'POST',
      '/v1/projects',
      { name: '', template_variables: { a: 'b' } },
      ['name', 'template_variables'],
    ],
    [
      'a project that is changed',
      'PATCH',
      '/v1/projects/{project}',
      { name: '', status: 'gone', repository: { branch: 'a..b' } },
      ['name', 'repository.branch', 'status'],
    ],
    ['a branch', 'POST', '/v1/projects/{project}/branches', { name: 'a..b', from: 'no-such' }, ['from', 'name']],
    [
      'a merge',
      'POST',
      '/v1/projects/{project}/merges',
      { source: 'no-such', target: 'nor-this', strategy: 'none' },
      ['source', 'strategy', 'target'],
    ],
    [
      'a merge, by rules alone',
      'POST',
      '/v1/projects/{project}/merges',
      { source: 'no-such', target: 'nor-this' },
      ['source', 'target'],
    ],
    [
      'a domain',
      'POST',
      '/v1/projects/{project}/domains',
      { domain: 'localhost', redirect_to: 'other.example.com' },
      ['domain', 'redirect_to'],
    ],
    [
      'a domain that has an unknown field',
      'POST',
      '/v1/projects/{project}/domains',
      { domain: 'localhost', redirect_to: 'other.example.com', unknown: 1 },
      ['domain', 'redirect_to', 'unknown'],
    ],
    [
      'an OAuth app',
      'POST',
      '/v1/user/oauth-apps',
      { name: '', redirect_uris: ['http://example.com', 'no', 'https://example.com/#x'] },
      ['name', 'redirect_uris.0', 'redirect_uris.1', 'redirect_uris.2'],
    ],
    [
      'a template',
      'POST',
      '/v1/templates',
      {
        project_id: 'prj_unknown',
        name: '',
        variables: [
          { name: 'year', type: 'string' },
          { name: 'a', type: 'choice' },
        ],
      },
      ['name', 'project_id', 'variables.0.name', 'variables.1.choices'],
    ],
    [
      'a comment',
      'POST',
      '/v1/projects/{project}/comments',
      {
        file_path: '/a/../b',
        position: { line: 2, column: 1 },
        end: { line: 1, column: 1 },
        content: '',
        suggestion: 'x',
        parent_id: 'cmt_unknown',
      },
      ['content', 'end', 'file_path', 'parent_id', 'suggestion'],
    ],
    [
      'a comment, by rules alone',
      'POST',
      '/v1/projects/{project}/comments',
      {
        file_path: '/a',
        position: { line: 2, column: 1 },
        end: { line: 1, column: 1 },
        content: 'x',
        suggestion: 'x',
        parent_id: 'cmt_unknown',
      },
      ['end', 'parent_id', 'suggestion'],
    ],
    [
      'a sign-up',
      'POST',
      '/v1/auth/sign-up',
      { email: 'nobody', name: '', password: 'password' },
      ['email', 'name', 'password'],
    ],
    [
      'a session',
      'POST',
      '/v1/collaboration/sessions',
      { name: '', workspace_id: 'prj_unknown', permissions: { read: false } },
      ['name', 'permissions.read', 'workspace_id'],
    ],
  ])('of %s', async (_what, method, path, body, fields) => {
    expect(await refusedFields(method, path, body)).toEqual(fields);
  });

  test('of a changed webhook', async () => {
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
