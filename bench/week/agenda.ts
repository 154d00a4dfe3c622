type Due<What> = { at: number; what: What };

/** Pending events, earliest first: a binary heap. */
export class Agenda<What> {
  readonly #heap: Due<What>[] = [];

  put(at: number, what: What): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push({ at, what });
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (heap[above]!.at <= at) break;
      this.#swap(place, above);
      place = above;
    }
  }

  /** Removes and returns the earliest event if it is due by then; otherwise `null`. */
  take(until: number): Due<What> | null {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.at > until) return null;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    heap[0] = last;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= heap.length) return first;
      const right = left + 1;
      const sooner = right < heap.length && heap[right]!.at < heap[left]!.at ? right : left;
      if (heap[sooner]!.at >= last.at) return first;
      this.#swap(place, sooner);
      place = sooner;
    }
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap;
    [heap[one], heap[other]] = [heap[other]!, heap[one]!];
  }
}
