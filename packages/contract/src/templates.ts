import { type Static, Type } from 'typebox';
import { lineOfText, linesOfText, named, strict, Timestamp } from './primitives.ts';
import { acceptingReadOnly } from './read-only.ts';

/** A value that a template needs from the user who starts a project from it. */
export const TemplateVariable = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', examples: ['project_name'] }),
    type: Type.Enum(['string', 'boolean', 'choice']),
    label: Type.Optional(Type.String({ maxLength: 100, pattern: lineOfText })),
    default: Type.Optional(Type.Union([Type.String({ maxLength: 10_000, pattern: linesOfText }), Type.Boolean()])),
    required: Type.Optional(Type.Boolean({ description: 'Whether a value is required' })),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText }), {
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
        description: 'Only for the type `choice`',
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: lineOfText,
        description:
          'Regular expression that the entire string must match. Characters, classes and quantifiers are allowed; groups are not.',
      }),
    ),
    max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Only for the type `string`' })),
  },
  { additionalProperties: false, title: 'TemplateVariable' },
);
export type TemplateVariable = Static<typeof TemplateVariable>;

/** Values by the name of the variable. The template decides which names and values are valid. */
export const TemplateValues = Type.Record(
  Type.String(),
  Type.Union([Type.String({ maxLength: 10_000, pattern: linesOfText }), Type.Boolean()]),
  { maxProperties: 50, examples: [{ licence: 'MIT' }] },
);
export type TemplateValues = Static<typeof TemplateValues>;

const visibility = Type.Enum(['private', 'public'], {
  description:
    '`private`: only the author can see the template. `public`: all users can see it. Only administrators can make a template public.',
});

export const Template = named('Template', {
  id: Type.String({ examples: ['static-site', 'tpl_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  name: Type.String(),
  description: Type.String(),
  category: Type.String(),
  language: Type.String(),
  tags: Type.Array(Type.String()),
  featured: Type.Boolean(),
  author: Type.Object({
    name: Type.String(),
    url: Type.Union([Type.String(), Type.Null()], { description: 'null for templates that users published' }),
  }),
  preview_url: Type.String(),
  repository_url: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
  visibility,
  variables: Type.Array(TemplateVariable),
  version: Type.Integer({ description: 'Increases with each new version' }),
  files_count: Type.Integer(),
});
export type Template = Static<typeof Template>;

export const TemplateList = Type.Object({ data: Type.Array(Template) });

const label = Type.String({ minLength: 1, maxLength: 50, pattern: lineOfText });

export const TemplateListQuery = Type.Object({
  category: Type.Optional(Type.String({ maxLength: 50, pattern: lineOfText })),
  language: Type.Optional(Type.String({ maxLength: 50, pattern: lineOfText })),
  featured: Type.Optional(Type.Boolean()),
});
export type TemplateListQuery = Static<typeof TemplateListQuery>;

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText }),
  description: Type.String({ maxLength: 1000, pattern: linesOfText }),
  category: label,
  language: label,
  tags: Type.Array(label, { maxItems: 20, uniqueItems: true }),
  visibility,
  featured: Type.Boolean({ description: 'Set by administrators only' }),
  variables: Type.Array(TemplateVariable, { maxItems: 20 }),
};

const projectId = Type.String({ maxLength: 255, pattern: lineOfText, examples: ['prj_01jd2m6vz8e3r9x5k7q4w1t0ab'] });

export const PublishTemplate = strict({
  project_id: projectId,
  name: fields.name,
  description: Type.Optional(fields.description),
  category: Type.Optional(fields.category),
  language: Type.Optional(fields.language),
  tags: Type.Optional(fields.tags),
  visibility: Type.Optional(fields.visibility),
  featured: Type.Optional(fields.featured),
  variables: Type.Optional(fields.variables),
});
export type PublishTemplate = Static<typeof PublishTemplate>;

/** Without a project, the template's own project is used, from which it was published. */
export const PublishAnew = strict({ project_id: Type.Optional(projectId) });
export type PublishAnew = Static<typeof PublishAnew>;

/** RFC 7396: null returns a value to its default. */
export const PatchTemplate = acceptingReadOnly(
  {
    name: Type.Optional(fields.name),
    description: Type.Optional(Type.Union([fields.description, Type.Null()])),
    category: Type.Optional(Type.Union([fields.category, Type.Null()])),
    language: Type.Optional(Type.Union([fields.language, Type.Null()])),
    tags: Type.Optional(Type.Union([fields.tags, Type.Null()])),
    visibility: Type.Optional(Type.Union([fields.visibility, Type.Null()])),
    featured: Type.Optional(Type.Union([fields.featured, Type.Null()])),
    variables: Type.Optional(Type.Union([fields.variables, Type.Null()])),
  },
  Template,
);
export type PatchTemplate = Static<typeof PatchTemplate>;
