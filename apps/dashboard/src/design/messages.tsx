import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { confirm } from '../kit/confirm.tsx';
import { DeadEnd, ErrorScreen, NotFoundScreen } from '../kit/error-screen.tsx';
import { Loading } from '../kit/loading.tsx';
import { Reason } from '../kit/reason.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';

const failure = new Error('The name is taken');

/** Parts that show messages to users. */
export const messages: Record<string, () => ReactNode> = {
  'confirm.tsx': () => (
    <Button
      color="red.8"
      onClick={() =>
        void confirm({ title: 'Delete Shop?', hint: 'It can be restored.', yes: 'Delete', isDangerous: true })
      }
    >
      Ask
    </Button>
  ),
  'error-screen.tsx': () => (
    <>
      <ErrorScreen error={failure} />
      <NotFoundScreen />
      <DeadEnd title="The session has ended" hint="Its text is stored." />
    </>
  ),
  'loading.tsx': () => <Loading lines={3} />,
  'reason.tsx': () => <Reason field="reason" of={{ reason: 'The build was stopped' }} />,
  'refusal.tsx': () => <Refusal error={failure} retry={() => undefined} />,
  'shown-once.tsx': () => (
    <ShownOnce
      say="Store this key now."
      lines={[{ label: 'API key', value: 'btg_live_sample' }]}
      done="I have stored it"
      close={() => undefined}
    />
  ),
  'toast.ts': () => (
    <Group>
      <Button variant="default" onClick={() => toast('Saved')}>
        Say
      </Button>
      <Button variant="default" onClick={() => toastRefusal(failure)}>
        Refuse
      </Button>
    </Group>
  ),
};
