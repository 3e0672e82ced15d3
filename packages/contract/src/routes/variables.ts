import { DeleteVariableQuery, PutVariable, Variable, VariableList } from '../variables.ts';
import { defineRoutes, noContent, peopleOnly } from './route.ts';

export const variableRoutes = defineRoutes('Variables', {
  listVariables: {
    address: 'GET /projects/{project_id}/variables',
    access: 'read:deployments',
    summary: "List a project's variables in order of their names",
    description:
      'Requires the `read:deployments` scope. Secret values are never returned. Other values are returned only to users who can change them. ' +
      peopleOnly,
    responses: { 200: VariableList },
  },
  putVariable: {
    address: 'PUT /projects/{project_id}/variables/{name}',
    access: 'write:deployments',
    summary: 'Set a variable for some or all environments',
    description:
      'Requires the `write:deployments` scope. A variable has one value per environment. The new value replaces ' +
      'the previous value in the specified environments and takes effect with the next deployment.',
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
