import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { Author, ada, exactly, inExampleProject, inProject, orNull, text } from './fields.ts';

export const variableEvents = eventFamily(
  { scope: 'read:deployments', subject: 'variable', fieldNames: { variable_id: 'id' } },
  {
    'variable.updated': {
      description: 'A project variable was set or deleted; the event does not include its value',
      names: { reference: 'variable.updated', core: null, guide: null },
      data: exactly({
        variable_id: text,
        ...inProject,
        name: text,
        kind: Type.Enum(['secret', 'plain']),
        environments: Type.Union([Type.Array(text), Type.Null()], { description: 'null means all environments' }),
        version: Type.Integer(),
        deleted: Type.Boolean(),
        updated_at: Timestamp,
        updated_by: orNull(Author),
      }),
      example: {
        variable_id: 'var_01jd2m6vz8e3r9x5k7q4w1t0ab',
        ...inExampleProject,
        name: 'DATABASE_URL',
        kind: 'secret',
        environments: ['production'],
        version: 2,
        deleted: false,
        updated_at: '2026-01-03T03:04:05.678Z',
        updated_by: ada,
      },
    },
  },
);
