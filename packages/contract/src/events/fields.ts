import { type TProperties, type TSchema, Type } from 'typebox';
import { strict } from '../primitives.ts';

/** Fields that events of several families share, with their examples. */
export const exactly = <Fields extends TProperties>(fields: Fields) => strict(fields);
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
export const text = Type.String();

export const Author = exactly({ name: text, email: text, username: text });
export const ada = { name: 'Ada Lovelace', email: 'ada@example.com', username: 'ada' };
export const grace = { name: 'Grace Hopper', email: 'grace@example.com', username: 'grace' };

export const inProject = { project_id: text, project_name: text };
export const inExampleProject = { project_id: 'prj_01jd2m6vz8e3r9x5k7q4w1t0ab', project_name: 'Analytical engine' };
export const exampleProjectUrl = `https://bottega.example.com/v1/projects/${inExampleProject.project_id}`;
export const exampleSha = '9a0364b9e99bb480dd25e1f0284c8555f9e5c2d1';

export const Changes = Type.Record(Type.String(), exactly({ from: Type.Unknown(), to: Type.Unknown() }), {
  description: 'All changed fields; settings and preferences have dotted names',
});
