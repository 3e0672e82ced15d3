import { type TObject, type TSchema, Type } from 'typebox';
import { type EventType, eventCatalogue } from './catalogue.ts';
import { eventData } from './data.ts';

export const webhookFormats = ['reference', 'core', 'guide'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

type Fields = Record<string, unknown>;
type Names = Readonly<Record<string, string>>;

/**
 * The formats `core` and `guide` tell the same as `reference` by other names: the subject of the event is an object,
 * whose fields have lost its name as their prefix. One table of names shapes both the values and their schemas.
 */
type Shape = { subject: string; names: Names; inGuide?: { names?: Names; only?: readonly string[] } };

const project: Shape = { subject: 'project', names: { project_id: 'id', project_name: 'name' } };
const file: Shape = {
  subject: 'file',
  names: { file_id: 'id', file_path: 'path', file_name: 'name', file_type: 'type' },
};
const build: Shape = { subject: 'build', names: { build_id: 'id', build_config: 'config' } };
const deployment: Shape = { subject: 'deployment', names: { deployment_id: 'id', deployment_config: 'config' } };
const collaborator: Shape = {
  subject: 'collaborator',
  names: { invitation_id: 'id', inviter: 'invited_by', invitee: 'user', collaborator: 'user' },
};
const user: Shape = { subject: 'user', names: { user_id: 'id' } };

const shapes: Record<EventType, Shape> = {
  'project.created': project,
  'project.updated': { ...project, inGuide: { only: ['id', 'name', 'description', 'updated_at', 'changes'] } },
  'project.deleted': project,
  // In the guide's words it is the project that was shared.
  'collaboration.invited': {
    ...collaborator,
    inGuide: {
      names: { project_id: 'id', project_name: 'name', inviter: 'shared_by', invitee: 'shared_with' },
    },
  },
  'collaboration.joined': collaborator,
  'collaboration.left': collaborator,
  'file.created': file,
  'file.updated': file,
  'file.deleted': file,
  'file.downloaded': file,
  'file.shared': file,
  'build.started': build,
  'build.completed': build,
  'build.failed': build,
  'deployment.started': deployment,
  'deployment.completed': deployment,
  'deployment.failed': deployment,
  'user.registered': { ...user, inGuide: { only: ['id', 'email', 'name', 'role', 'created_at', 'metadata'] } },
  'user.updated': user,
  'user.deleted': user,
  'user.login': user,
  'user.logout': user,
  'security.alert': { subject: 'alert', names: { alert_id: 'id' } },
};

export type ProjectOwnerName = { id: string; name: string | null };

/** `data` of the event in that format; core alone tells the project's owner with every event of a project. */
export function shapeData(type: EventType, format: WebhookFormat, data: Fields, owner: ProjectOwnerName): Fields {
  if (format === 'reference') return data;
  const shape = shapes[type];
  if (format === 'guide') return { object: guideObject(shape, data) };
  if (shape.subject === 'project') return { project: { ...renamed(data, shape.names), owner: nameOf(data.owner) } };
  if (!('project_id' in data)) return { [shape.subject]: renamed(data, shape.names) };
  const { project_id: id, project_name: name, ...rest } = data;
  return { project: { id, name, owner }, [shape.subject]: renamed(rest, shape.names) };
}

export function dataSchema(type: EventType, format: WebhookFormat): TObject {
  const schema = eventData[type] as TObject;
  if (format === 'reference') return schema;
  const shape = shapes[type];
  const { properties } = schema;
  if (format === 'guide') return exactly({ object: guideSchema(shape, properties) });
  if (shape.subject === 'project') {
    return exactly({ project: exactly({ ...renamed(properties, shape.names), owner: OwnerName }) });
  }
  if (!('project_id' in properties)) return exactly({ [shape.subject]: exactly(renamed(properties, shape.names)) });
  const { project_id: id, project_name: name, ...rest } = properties;
  return exactly({
    project: exactly({ id: id as TSchema, name: name as TSchema, owner: OwnerName }),
    [shape.subject]: exactly(renamed(rest, shape.names)),
  });
}

const exactly = (fields: Record<string, TSchema>): TObject => Type.Object(fields, { additionalProperties: false });
const OwnerName = exactly({ id: Type.String(), name: Type.Union([Type.String(), Type.Null()]) });

function nameOf(owner: unknown): ProjectOwnerName {
  const { id, name } = owner as ProjectOwnerName;
  return { id, name };
}

function guideObject({ names, inGuide = {} }: Shape, data: Fields): Fields {
  return only(renamed(data, inGuide.names ?? names), inGuide.only);
}

function guideSchema({ names, inGuide = {} }: Shape, properties: Record<string, TSchema>): TObject {
  return exactly(only(renamed(properties, inGuide.names ?? names), inGuide.only));
}

function renamed<Value>(fields: Record<string, Value>, names: Names): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));
}

function only<Value>(fields: Record<string, Value>, names: readonly string[] | undefined): Record<string, Value> {
  if (!names) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** Every name that the event may arrive under, whatever it was subscribed by. */
export function namesOf(type: EventType): string[] {
  const { reference, core, guide } = eventCatalogue[type];
  return [...new Set([reference, core, guide])].filter((name) => name !== null);
}

/** The name in the format's own taxonomy, else in the reference, else the only one there is. */
export function ownNameOf(type: EventType, format: WebhookFormat): string {
  return eventCatalogue[type][format] ?? eventCatalogue[type].reference ?? type;
}
