/** What the bell rings for when a worker should look at the workspaces that are wanted. */
export const wantedBell = 'workspaces';
