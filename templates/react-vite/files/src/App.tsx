import { useId } from 'react';
import { description, name } from './about.ts';
import { useStored } from './useStored.ts';

type Task = { id: string; text: string; done: boolean };

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

export function App() {
  const [tasks, setTasks] = useStored<Task[]>('tasks', []);
  const open = tasks.filter((task) => !task.done).length;

  const add = (text: string) => setTasks([...tasks, { id: newId(), text, done: false }]);
  const toggle = (id: string) =>
    setTasks(tasks.map((task) => (task.id === id ? { ...task, done: !task.done } : task)));

  return (
    <main>
      <h1>{name}</h1>
      <p>{description}</p>
      <NewTask onAdd={add} />
      <ul>
        {tasks.map((task) => (
          <li key={task.id}>
            <label>
              <input type="checkbox" checked={task.done} onChange={() => toggle(task.id)} />
              <span>{task.text}</span>
            </label>
          </li>
        ))}
      </ul>
      <footer>
        <span aria-live="polite">{open === 1 ? '1 thing' : `${open} things`} to do</span>
        <button type="button" disabled={open === tasks.length} onClick={() => setTasks(tasks.filter((t) => !t.done))}>
          Clear what is done
        </button>
      </footer>
    </main>
  );
}

function NewTask({ onAdd }: { onAdd: (text: string) => void }) {
  const id = useId();

  // React empties the form once the action is done.
  function add(form: FormData) {
    const text = String(form.get('text') ?? '').trim();
    if (text !== '') onAdd(text);
  }

  return (
    <form action={add}>
      <label htmlFor={id}>What is to be done?</label>
      <div className="row">
        <input id={id} name="text" autoComplete="off" required />
        <button type="submit">Add</button>
      </div>
    </form>
  );
}
