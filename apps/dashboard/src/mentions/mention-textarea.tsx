import './mentions.css';
import { Avatar, Popover, Textarea, type TextareaProps, VisuallyHidden } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useId, useRef } from 'react';
import { useWords } from '../words/words.tsx';
import type { Person } from './mention-at.ts';
import { mentionWords } from './mentions.words.ts';
import { useMentioning } from './use-mentioning.ts';

type Props = Omit<TextareaProps, 'value' | 'onChange' | 'ref'> & {
  value: string;
  change: (value: string) => void;
  /** The project whose people are offered after an `@`. Null offers nobody. */
  peopleOf: string | null;
  field?: Ref<HTMLTextAreaElement>;
};

/**
 * A field for a text that can mention people. In ARIA, a field with several lines cannot be a combobox. So it stays a
 * text field that refers to its list and the selected option.
 */
export function MentionTextarea({ value, change, peopleOf, field = null, onKeyDown, ...props }: Props) {
  const words = useWords(mentionWords);
  const own = useRef<HTMLTextAreaElement>(null);
  const ref = useMergedRef(own, field);
  const listId = useId();
  const { offered, chosen, look, take, takesKey, leave } = useMentioning(peopleOf, own);
  const isOpen = offered.length > 0;
  return (
    <>
      <Popover
        opened={isOpen}
        position="bottom-start"
        width="target"
        offset={4}
        shadow="md"
        withRoles={false}
        withinPortal={false}
        closeOnClickOutside={false}
        transitionProps={{ duration: 0 }}
      >
        <Popover.Target>
          <Textarea
            {...props}
            ref={ref}
            value={value}
            aria-autocomplete="list"
            {...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${chosen}` })}
            onChange={(event) => {
              change(event.currentTarget.value);
              look();
            }}
            onSelect={look}
            onBlur={leave}
            onKeyDown={(event) => {
              if (!takesKey(event)) onKeyDown?.(event);
            }}
          />
        </Popover.Target>
        <Popover.Dropdown p={4} maw={360}>
          <Offered id={listId} label={words.people} people={offered} chosen={chosen} take={take} />
        </Popover.Dropdown>
      </Popover>
      <VisuallyHidden role="status">{isOpen && words.found(offered.length)}</VisuallyHidden>
    </>
  );
}

type OfferedProps = { id: string; label: string; people: Person[]; chosen: number; take: (person: Person) => void };

function Offered({ id, label, people, chosen, take }: OfferedProps) {
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  return (
    <div id={id} role="listbox" aria-label={label} className="mention-list">
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the field, which has the keys
        <div
          key={person.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className="mention-option"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(person)}
        >
          <Avatar src={person.picture} alt="" size={20} />
          <span>{person.name}</span>
          <small>@{person.username}</small>
        </div>
      ))}
    </div>
  );
}
