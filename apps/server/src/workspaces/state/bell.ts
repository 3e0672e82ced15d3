/** The name under which the bell rings when workers should look for wanted workspaces. */
export const wantedBell = 'workspaces';
