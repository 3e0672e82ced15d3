import { DeleteVariableQuery, PutVariable, Variable, VariableList } from '../variables.ts';
import { defineRoutes, noContent, peopleOnly } from './route.ts';

export const variableRoutes = defineRoutes('Variables', {
  listVariables: {
    address: 'GET /projects/{project_id}/variables',
    access: 'read:deployments',
    summary: 'List the variables of a project, by name',
    description:
      'Needs the scope `read:deployments`. Secret values are never shown; other values are shown to users who can change them. ' +
      peopleOnly,
    responses: { 200: VariableList },
  },
  putVariable: {
    address: 'PUT /projects/{project_id}/variables/{name}',
    access: 'write:deployments',
    summary: 'Set a variable for some environments, or for all',
    description:
      'Needs the scope `write:deployments`. A name has one value in each environment: the new value replaces ' +
      'the former one in the named environments. It takes effect with the next deployment.',
    body: PutVariable,
    responses: { 200: Variable },
  },
  deleteVariable: {
    address: 'DELETE /projects/{project_id}/variables/{name}',
    access: 'write:deployments',
    summary: 'Delete a variable, or its value in some environments',
    query: DeleteVariableQuery,
    responses: { 204: noContent },
  },
});
