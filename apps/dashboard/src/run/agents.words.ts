import { dictionary } from '../words/dictionary.ts';

export const agentWords = dictionary('run/agent', {
  agents: ['Agents in this workspace', 'Agenten in diesem Workspace'],
  agent: ['agent', 'Agent'],
  runs: [(command: string) => `runs ${command}`, (command) => `führt ${command} aus`],
  idle: ['is not running anything', 'führt gerade nichts aus'],
  stopped: ['is stopped: its commands are refused', 'ist angehalten: Seine Befehle werden abgelehnt'],
  watch: ['Watch', 'Zusehen'],
  takeOver: ['Take over', 'Übernehmen'],
  takeOverHint: [
    'Opens a terminal in the directory of its command',
    'Öffnet ein Terminal im Verzeichnis seines Befehls',
  ],
  stop: ['Stop agent', 'Agent anhalten'],
  stopHint: [
    'Ends its commands here, and refuses further ones until somebody resumes it',
    'Beendet seine Befehle hier und lehnt weitere ab, bis jemand ihn fortsetzt',
  ],
  resume: ['Resume', 'Fortsetzen'],
});
