import { type EventType, eventCatalogue, eventTypes, webhookFormats } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { eventTypeList, typeNamed } from './catalogue.ts';
import { type Envelope, renderBody, renderData } from './rendering.ts';

const envelope: Omit<Envelope, 'name' | 'data'> = {
  event_id: 'evt_1',
  webhook_id: 'whk_1',
  delivery_id: 'dlv_1',
  attempt: 2,
  created_at: new Date('2026-01-02T03:04:05.678Z'),
  request_id: 'req_1',
  idempotency_key: 'a "quoted" key',
};

function rendered(type: EventType, format: (typeof webhookFormats)[number], name: string = type) {
  const event = { type, data: eventCatalogue[type].example, account_id: 'usr_1', account_name: 'Ada' };
  return JSON.parse(renderBody(format, { ...envelope, name, data: renderData(event, format) }));
}

describe('Envelope', () => {
  test('of the reference variant has the documented fields', () => {
    expect(rendered('file.shared', 'reference')).toEqual({
      event: 'file.shared',
      timestamp: '2026-01-02T03:04:05.678Z',
      webhook_id: 'whk_1',
      delivery_id: 'dlv_1',
      data: eventCatalogue['file.shared'].example,
    });
  });

  test('of the core API variant has nested objects', () => {
    const { url, deployed_by } = eventCatalogue['deployment.completed'].example;
    const { project_id: id, project_name: name } = eventCatalogue['deployment.completed'].example;
    expect(rendered('deployment.completed', 'core')).toMatchObject({
      id: 'evt_1',
      event: 'deployment.completed',
      timestamp: '2026-01-02T03:04:05.678Z',
      delivery_attempt: 2,
      data: {
        project: { id, name, owner: { id: 'usr_1', name: 'Ada' } },
        deployment: { id: eventCatalogue['deployment.completed'].example.deployment_id, url, deployed_by },
      },
    });
  });

  test('of the guide variant names the causing request', () => {
    expect(rendered('user.registered', 'guide', 'user.created')).toEqual({
      id: 'evt_1',
      type: 'user.created',
      created: 1_767_323_045,
      data: {
        object: {
          id: eventCatalogue['user.registered'].example.user_id,
          email: 'ada@example.com',
          name: 'Ada Lovelace',
          role: 'user',
          created_at: '2026-01-02T03:04:05.678Z',
          metadata: { source: 'sign-up' },
        },
      },
      request: { id: 'req_1', idempotency_key: 'a "quoted" key' },
    });
  });

  test('Webhooks API, guide envelope: the id of the request is a string, also for an event stored without a request', () => {
    const event = { type: 'file.shared' as const, data: eventCatalogue['file.shared'].example };
    const data = renderData({ ...event, account_id: 'usr_1', account_name: 'Ada' }, 'guide');
    const body = JSON.parse(renderBody('guide', { ...envelope, name: 'file.shared', request_id: null, data }));
    expect(body.request).toEqual({ id: 'evt_1', idempotency_key: envelope.idempotency_key });
    expectCatalogued('guide', body);
  });

  test("of the guide variant carries a project's change as the spec shows it", () => {
    const { data } = rendered('project.updated', 'guide');
    expect(Object.keys(data.object).sort()).toEqual(['changes', 'description', 'id', 'name', 'updated_at']);
  });

  test.each(['deployment.started', 'deployment.completed', 'deployment.failed'] as const)(
    'Webhooks API, core API variant: the deployment of %s has a url, which is null until it is completed',
    (type) => {
      const { deployment } = rendered(type, 'core').data;
      expect(deployment).toHaveProperty(
        'url',
        type === 'deployment.completed' ? deployment.config.health_check_url.slice(0, -1) : null,
      );
    },
  );

  test('of the core API variant names the owner of a project by id and name', () => {
    const { owner } = eventCatalogue['project.created'].example;
    expect(rendered('project.created', 'core').data.project.owner).toEqual({ id: owner.id, name: owner.name });
  });
});

/** The table of the specification, word for word. */
const shown: Partial<Record<EventType, string>> = {
  'build.started':
    'build_id, project_id, project_name, commit_sha, commit_message, branch, author, trigger, started_at, environment, build_config',
  'build.completed':
    'build_id, project_id, project_name, commit_sha, commit_message, branch, author, status, started_at, completed_at, duration, environment, artifacts, logs_url, deploy_preview_url',
  'build.failed':
    'build_id, project_id, project_name, commit_sha, commit_message, branch, author, status, started_at, failed_at, duration, environment, error, logs_url',
  'deployment.completed':
    'deployment_id, build_id, project_id, project_name, environment, status, started_at, completed_at, duration, url, commit_sha, commit_message, branch, author, deployed_by, deployment_config',
  'collaboration.invited':
    'invitation_id, project_id, project_name, inviter, invitee, role, permissions, message, expires_at, invitation_url',
  'file.updated':
    'file_id, project_id, project_name, file_path, file_name, file_type, size, updated_by, changes, commit_sha, branch, diff_url',
  'security.alert':
    'alert_id, alert_type, severity, title, description, user, details, actions_taken, recommended_actions',
};

test.each(Object.entries(shown))('Data payloads (reference variant): %s has exactly these fields', (type, fields) => {
  const { data } = rendered(type as EventType, 'reference');
  expect(Object.keys(data).sort()).toEqual(fields.split(', ').sort());
});

describe('the catalogue', () => {
  const { event_types } = eventTypeList();

  test('has every event, and test.ping, in every format', () => {
    expect(event_types.map(({ type }) => type)).toEqual([...eventTypes, 'test.ping']);
    for (const { formats } of event_types) expect(Object.keys(formats)).toEqual([...webhookFormats]);
  });

  test.each(event_types.flatMap((one) => webhookFormats.map((format) => [one.type, format] as const)))(
    'has an example of %s in the format %s that fits its schema, which allows no other fields',
    (type, format) => {
      const example = event_types.find((one) => one.type === type)?.formats[format].example as Record<string, unknown>;
      expectCatalogued(format, example);
      const named = format === 'guide' ? example.type : example.event;
      expect(() => expectCatalogued(format, { ...example, more: 1 }), String(named)).toThrow();
      expect(() => expectCatalogued(format, { ...example, data: { ...(example.data as object), more: 1 } })).toThrow();
    },
  );

  test('knows an event by each of its names', () => {
    expect(typeNamed('file.updated')).toBe('file.updated');
    expect(typeNamed('file.uploaded')).toBe('file.created');
    expect(typeNamed('user.created')).toBe('user.registered');
    expect(typeNamed('other')).toBeUndefined();
  });
});
