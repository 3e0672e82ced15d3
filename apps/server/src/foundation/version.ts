import server from '../../package.json' with { type: 'json' };

export const { version } = server;
