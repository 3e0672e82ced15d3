import type { Template } from '@bottega/contract';
import { expect } from 'vitest';
import { type Answer, call } from '../testing/clients/http-client.ts';
import { contentAt, listPaths, newPlace, type Place, writeFile } from '../testing/samples/sample-files.ts';
import { createProject } from '../testing/samples/sample-projects.ts';
import type { TestService, TestUser } from '../testing/service/test-service.ts';

type Caller = Pick<TestUser, 'key'>;

/** One request below `/v1/templates`, as JSON. */
export function onTemplates<Body = Template>(
  service: TestService,
  user: Caller,
  [method, path, json]: [string, string, unknown?],
): Promise<Answer<Body>> {
  return call<Body>(method, `${service.url}/v1/templates${path}`, {
    token: user.key,
    ...(json !== undefined && { json }),
  });
}

export async function listTemplates(service: TestService, user: Caller, query = ''): Promise<Template[]> {
  const answer = await onTemplates<{ data: Template[] }>(service, user, ['GET', query]);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** A project of the user with these files. */
export async function projectWith(service: TestService, user: TestUser, files: Record<string, string>): Promise<Place> {
  const place = await newPlace(service, {}, user);
  for (const [path, content] of Object.entries(files)) await writeFile(place, path, content);
  return place;
}

/** Publishes a template as a user does. It must succeed. */
export async function publish(
  service: TestService,
  user: TestUser,
  files: Record<string, string>,
  fields: Record<string, unknown> = {},
): Promise<{ template: Template; place: Place }> {
  const place = await projectWith(service, user, files);
  const body = { project_id: place.projectId, name: 'Mine', ...fields };
  const answer = await onTemplates(service, user, ['POST', '', body]);
  expect(answer.status, answer.text).toBe(201);
  return { template: answer.body, place };
}

/** The files of a project made from the template, by path. */
export async function filesFrom(
  service: TestService,
  user: TestUser,
  template: Template,
  values?: Record<string, unknown>,
): Promise<Record<string, string>> {
  const fields = { template: template.id, ...(values && { template_variables: values }) };
  const { id } = await createProject(service, user, fields);
  const place = { service, user, projectId: id };
  const paths = await listPaths(place, '?recursive=true&type=file');
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await contentAt(place, path)])));
}
