import { type Static, Type } from 'typebox';
import { named, Timestamp } from './primitives.ts';

/** Names for environment variables, in a project's variables and in those of one deployment. */
export const variableName = '^[A-Za-z_][A-Za-z0-9_]{0,127}$';
export const VariableValue = Type.String({ maxLength: 32_768, pattern: '^[^\\u0000\\p{Cs}]*$' });

export const Environment = Type.String({
  pattern: '^[a-z0-9-]{1,32}$',
  examples: ['production', 'preview', 'staging'],
  description: 'Deployments to `production` go live automatically. Any other name is a preview.',
});

export const variableKinds = ['secret', 'plain'] as const;
const Kind = Type.Enum(variableKinds);
export type VariableKind = Static<typeof Kind>;

const environmentsOf = (description: string) =>
  Type.Array(Environment, { minItems: 1, maxItems: 20, uniqueItems: true, description });

export const Variable = named('Variable', {
  id: Type.String({ examples: ['var_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  project_id: Type.String(),
  name: Type.String({ examples: ['DATABASE_URL'] }),
  kind: Kind,
  value: Type.Union([Type.String(), Type.Null()], {
    description: 'null for a secret, or if you cannot change the variable',
  }),
  environments: Type.Union([Type.Array(Environment), Type.Null()], {
    description: 'null means all environments without their own value',
  }),
  version: Type.Integer({ description: 'Increases with every change' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  updated_by: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
    description: 'The user who last changed the variable; null after the account is deleted',
  }),
});
export type Variable = Static<typeof Variable>;

export const VariableList = Type.Object({ data: Type.Array(Variable) });

export const PutVariable = Type.Object(
  {
    value: VariableValue,
    environments: Type.Optional(environmentsOf('Default: all environments without their own value')),
    kind: Type.Optional(
      Type.Enum(variableKinds, { default: 'secret', description: 'The API never returns the value of a secret' }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ value: 'postgres://db.example.com/shop', environments: ['production'], kind: 'secret' }],
  },
);
export type PutVariable = Static<typeof PutVariable>;

export const DeleteVariableQuery = Type.Object({
  environments: Type.Optional(
    Type.String({
      pattern: '^(\\*|[a-z0-9-]{1,32}(,[a-z0-9-]{1,32}){0,19})$',
      examples: ['production,preview'],
      description:
        'Environments whose value to delete, separated by commas. `*` means the value for all environments. Default: all values.',
    }),
  ),
});
export type DeleteVariableQuery = Static<typeof DeleteVariableQuery>;
