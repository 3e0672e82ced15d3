import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { ada, Changes, exactly, inExampleProject, inProject, text } from './fields.ts';

const project = {
  ...inProject,
  description: text,
  status: Type.Enum(['active', 'archived']),
  template_id: Type.Optional(
    Type.Union([text, Type.Null()], { description: 'The template that the project was created from' }),
  ),
  settings: exactly({
    public: Type.Boolean(),
    collaboration_enabled: Type.Boolean(),
    auto_save: Type.Boolean(),
    version_control: Type.Boolean(),
    auto_deploy: Type.Boolean(),
    auto_preview: Type.Boolean(),
  }),
  owner: exactly({ id: text, name: text, email: text, username: text }),
  created_at: Timestamp,
  updated_at: Timestamp,
};
const example = {
  ...inExampleProject,
  description: 'Weaves algebraic patterns',
  status: 'active',
  template_id: null,
  settings: {
    public: false,
    collaboration_enabled: true,
    auto_save: true,
    version_control: true,
    auto_deploy: false,
    auto_preview: true,
  },
  owner: { id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ab', ...ada },
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-03T03:04:05.678Z',
} as const;

export const projectEvents = eventFamily(
  { scope: 'read:projects', subject: 'project', fieldNames: { project_id: 'id', project_name: 'name' } },
  {
    'project.created': {
      description: 'A project was created',
      names: { reference: 'project.created', core: 'project.created', guide: 'project.created' },
      data: exactly(project),
      example,
    },
    'project.updated': {
      description: 'A project was changed, archived, unarchived or restored',
      names: { reference: 'project.updated', core: 'project.updated', guide: 'project.updated' },
      data: exactly({ ...project, changes: Changes }),
      example: { ...example, changes: { name: { from: 'Difference engine', to: 'Analytical engine' } } },
      inGuide: { only: ['id', 'name', 'description', 'updated_at', 'changes'] },
    },
    'project.deleted': {
      description: 'A project was deleted',
      names: { reference: 'project.deleted', core: 'project.deleted', guide: 'project.deleted' },
      data: exactly({ ...project, deleted_at: Timestamp }),
      example: { ...example, deleted_at: '2026-01-04T03:04:05.678Z' },
    },
  },
);
