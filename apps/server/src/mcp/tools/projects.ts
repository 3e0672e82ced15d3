import { CreateProject, ProjectListQuery, routes } from '@bottega/contract';
import { Type } from 'typebox';
import { lineOf, showPages } from './lists.ts';
import { asRefusal, hasFailed, jsonOf, listed } from './results.ts';
import { defineTool, idempotencyKey, limit, page, routeTool } from './tool.ts';

const { search, status } = ProjectListQuery.properties;
const { name, description, template } = CreateProject.properties;

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects that the user owns or collaborates on. Pass the id to other tools as project_id.',
  route: routes.listProjects,
  input: Type.Object({ search, status, limit: limit(50, 20), page }),
  async run({ api, onlyProject }, query) {
    if (onlyProject === null) {
      const answer = await api(routes.listProjects, { query: { limit: 20, ...query } });
      return hasFailed(answer) ? asRefusal(answer) : showPages('data')(jsonOf(answer), query);
    }
    const answer = await api(routes.readProject, { params: { project_id: onlyProject } });
    if (hasFailed(answer)) return asRefusal(answer);
    return listed({ about: 'The project of this address.', lines: [lineOf(jsonOf(answer))], next: () => null });
  },
});

export const createProject = routeTool({
  name: 'create_project',
  title: 'Create a project',
  description: 'Creates an empty project, or a project from a template.',
  route: routes.createProject,
  hints: { destructive: false },
  fields: { name, description, template, idempotency_key: idempotencyKey },
  beyondProjects: true,
});
