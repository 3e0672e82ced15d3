/** The commands on the page Connect. Tests run them unchanged against a service. */
export function connectCommands(origin: string, projectId?: string) {
  return {
    installCli: `npm install -g ${origin}/downloads/bottega-cli.tgz`,
    logIn: `btg login ${origin}`,
    listProjects: 'btg projects ls',
    cloneProject: `btg clone ${projectId}`,
    installSdk: `npm install ${origin}/downloads/bottega-sdk.tgz`,
    client: `new Bottega({ baseUrl: '${origin}', token: process.env.BOTTEGA_TOKEN })`,
    gitClone: `git clone ${origin}/git/${projectId ?? 'PROJECT_ID'}.git`,
    mcp: `${origin}/mcp${projectId ? `?project=${projectId}` : ''}`,
  };
}
