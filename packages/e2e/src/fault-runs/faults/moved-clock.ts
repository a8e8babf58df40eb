// Preloaded into a process to shift its clock. Elapsed time (performance.now, timers) stays true.
const by = Number(process.env.MOVED_CLOCK_MS ?? 0);
const trueDate = Date;
const now = (): number => trueDate.now() + by;

globalThis.Date = new Proxy(trueDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new trueDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
