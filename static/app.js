// Progressive enhancement only: every page and form works without this file.
(() => {
  const $ = (sel, root = document) => root.querySelector(sel);
  const $$ = (sel, root = document) => [...root.querySelectorAll(sel)];
  const root = document.documentElement;

  // Announce without moving focus.
  const announce = (text) => { const live = $("#live"); if (live) live.textContent = text; };
  const remember = (name, value) => { document.cookie = `${name}=${value};path=/;max-age=31536000;samesite=lax`; };

  // Theme: the server renders data-bs-theme; where the page follows the system, it does so from here on. The button flips it in
  // place, and has it kept for the person, and for the browser where nobody is signed in.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => { if (root.dataset.scheme === "system") root.dataset.bsTheme = dark.matches ? "dark" : "light"; };
  follow();
  dark.addEventListener("change", follow);
  $$("[data-theme-toggle]").forEach((button) => button.addEventListener("click", () => {
    const theme = root.dataset.bsTheme === "dark" ? "light" : "dark";
    delete root.dataset.scheme;
    root.dataset.bsTheme = theme;
    remember("theme", theme);
    fetch("/settings/profile/theme", { method: "POST", body: new URLSearchParams({ theme }), keepalive: true }).catch(() => {});
    announce(theme === "dark" ? "Dark theme" : "Light theme");
  }));

  // How the reader wants numbers and dates written: the marks between thousands and before decimals, the sign, the order of a day.
  const [group, point] = root.dataset.marks || ",.";
  const signed = root.dataset.negatives === "minus";
  const day = (iso) => (root.dataset.dates || "yyyy-mm-dd").replace(/yyyy|mm|dd/g, (part) => ({ yyyy: iso.slice(0, 4), mm: iso.slice(5, 7), dd: iso.slice(8, 10) }[part]));

  // On paper stands when it was printed, beside the moment that its figures are of.
  addEventListener("beforeprint", () => {
    const stamp = $("[data-printed]");
    const now = new Date().toISOString();
    if (stamp) stamp.textContent = `, ${day(now)} ${now.slice(11, 16)} UTC`;
  });

  // Expanding rows: the link also works as a plain GET of ?open=.
  $$("[data-expand]").forEach((link) => link.addEventListener("click", (event) => {
    const row = document.getElementById(link.dataset.expand);
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    row.hidden = !row.hidden;
    link.setAttribute("aria-expanded", String(!row.hidden));
  }));

  // Copy a key or a hash. The clipboard is only there on a safe origin; elsewhere the text is selected instead.
  $$("[data-copy]").forEach((button) => button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      announce("Copied");
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling || button);
      announce("Selected, press Control and C to copy");
    }
  }));

  // A form that changes something is sent once, however often its button is pressed. (Its key makes a second post
  // harmless; this only spares the question.) Coming back by the history sets it free.
  const sent = new WeakSet();
  $$("form[method=post]").forEach((form) => form.addEventListener("submit", (event) => {
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  }));
  addEventListener("pageshow", (event) => { if (event.persisted) $$("form[method=post]").forEach((form) => sent.delete(form)); });

  // What was typed with a decimal comma, with a point instead; "" where its one mark may be either, as the server refuses it too.
  const withPoint = (typed, digits) => {
    const comma = typed.lastIndexOf(",");
    const either = (mark) => new RegExp(`^[-( ]*[1-9]\\d{0,2}\\${mark}\\d{3}[) ]*$`).test(typed);
    if (point === ".") return typed;
    if (comma > typed.lastIndexOf(".")) {
      const whole = typed.slice(0, comma);
      if (whole.includes(",") || (digits !== 3 && either(","))) return "";
      return `${whole.replaceAll(".", ",")}.${typed.slice(comma + 1)}`;
    }
    if (comma >= 0) return typed;
    if (typed.split(".").length === 2) {
      if (!either(".")) return typed;
      if (group !== "." || digits !== 0) return "";
    }
    return typed.replaceAll(".", ",");
  };
  // Amounts in minor units: BigInt, never a float. Reads what the server reads, null where it would refuse.
  const minor = (text, digits) => {
    const typed = withPoint(text.trim().replace(/\u2212/g, "-"), digits);
    const bracketed = /^\((.*)\)$/.exec(typed);
    const plain = (bracketed ? bracketed[1] : typed.replace(/^-/, "")).replace(/(?<=^[1-9]\d{0,2}(?:[,' \u2019\u00a0\u202f]\d{3})*)[,' \u2019\u00a0\u202f](?=\d{3}(?!\d))/g, "");
    const parts = /^(\d*)(?:\.(\d*))?$/.exec(plain);
    if (!parts || !(parts[1] || parts[2])) return null;
    const fraction = (parts[2] || "").replace(/0+$/, "");
    if (fraction.length > digits) return null;
    const value = BigInt(`0${parts[1]}${fraction.padEnd(digits, "0")}`);
    return bracketed || typed.startsWith("-") ? -value : value;
  };
  const decimal = (value, digits) => {
    const all = String(value < 0n ? -value : value).padStart(digits + 1, "0");
    const whole = all.slice(0, all.length - digits).replace(/\B(?=(\d{3})+$)/g, group);
    const text = digits ? `${whole}${point}${all.slice(-digits)}` : whole;
    if (value >= 0n) return text;
    return signed ? `\u2212${text}` : `(${text})`;
  };

  // The posting editor: what an account is called, totals and difference per currency as they are typed, more lines.
  $$("[data-editor]").forEach((editor) => {
    const lines = () => $$("[data-line]", editor);
    const total = $("[data-total]", editor).cloneNode(true);
    const foot = $("[data-total]", editor).parentElement;
    const known = new Map($$(`#${CSS.escape(editor.dataset.editor)} option`).map((option) => [option.value, option]));
    const account = (line) => known.get($("[data-account]", line).value.trim());
    const sides = (line) => ["debit", "credit"].map((side) => $(`[data-${side}]`, line).value);

    const sums = () => {
      const byCurrency = new Map();
      lines().forEach((line) => {
        const option = account(line);
        $("[data-name]", line).textContent = option ? option.label : "";
        $("[data-currency]", line).textContent = option ? option.dataset.currency : "";
        if (!option) return;
        const digits = Number(option.dataset.digits);
        const sum = byCurrency.get(option.dataset.currency) || { digits, debit: 0n, credit: 0n, unread: false };
        const read = sides(line).map((text) => minor(text, digits));
        sum.unread ||= sides(line).some((text, i) => text.trim() !== "" && read[i] === null);
        const [debit, credit] = read.map((value) => value || 0n);
        sum.debit += debit;
        sum.credit += credit;
        byCurrency.set(option.dataset.currency, sum);
      });
      return byCurrency;
    };
    const show = () => {
      const rows = [...sums()].map(([currency, { digits, debit, credit, unread }]) => {
        const row = total.cloneNode(true);
        const difference = debit > credit ? debit - credit : credit - debit;
        $("[data-of]", row).textContent = currency;
        $("[data-sum=debit]", row).textContent = decimal(debit, digits);
        $("[data-sum=credit]", row).textContent = decimal(credit, digits);
        $("[data-difference]", row).textContent = decimal(difference, digits);
        $("[data-when=balanced]", row).hidden = difference !== 0n || debit === 0n || unread;
        $("[data-when=differs]", row).hidden = difference === 0n;
        return row;
      });
      if (rows.length) foot.replaceChildren(...rows);
    };
    const add = () => {
      const last = lines().at(-1);
      const line = last.cloneNode(true);
      const index = Number(/\[(\d+)\]/.exec($("[data-account]", line).name)[1]) + 1;
      const renumber = (el, name, from, to) => { if (el.hasAttribute(name)) el.setAttribute(name, el.getAttribute(name).replace(from, to)); };
      $$("*", line).forEach((el) => {
        renumber(el, "name", /\[\d+\]/, `[${index}]`);
        renumber(el, "id", /-\d+-/, `-${index}-`);
        renumber(el, "for", /-\d+-/, `-${index}-`);
        renumber(el, "aria-label", /\d+$/, index + 1);
        if (el.matches("button")) el.value = index;
      });
      $$("label", line).forEach((label) => { label.textContent = label.textContent.replace(/\d+$/, String(index + 1)); });
      $$("input", line).forEach((input) => { input.value = ""; input.classList.remove("is-invalid"); input.removeAttribute("aria-invalid"); input.removeAttribute("aria-describedby"); });
      $$(".invalid", line).forEach((text) => text.remove());
      last.after(line);
      show();
      $("[data-account]", line).focus();
    };
    editor.addEventListener("input", show);
    editor.addEventListener("change", () => {
      const off = $$("[data-when=differs]:not([hidden])", editor).map((chip) => chip.textContent.trim());
      announce(off.join(", "));
    });
    $$("[data-add]", editor.closest("form")).forEach((button) => button.addEventListener("click", (event) => { event.preventDefault(); add(); }));
    show();
  });

  // What is chosen to be matched is added up as it is chosen.
  $$("form[data-sums]").forEach((form) => {
    const digits = Number(form.dataset.sums);
    const show = () => {
      const sums = { ledger: 0n, bank: 0n };
      $$("[data-minor]:checked", form).forEach((box) => { sums[box.dataset.side] += BigInt(box.dataset.minor); });
      sums.difference = sums.ledger - sums.bank;
      $$("[data-tally]", form).forEach((at) => { at.textContent = decimal(sums[at.dataset.tally], digits); });
      $$("[data-tally-when]", form).forEach((chip) => { chip.hidden = sums.difference !== 0n || !$("[data-minor]:checked", form); });
    };
    form.addEventListener("change", show);
    show();
  });

  // Keys: off on request, never while typing; every key has a visible button or link.
  const help = $("#keys-help");
  const keysOn = () => !/(^|; )keys=off/.test(document.cookie);
  const rows = $$("tr[data-row]");
  let at = rows.findIndex((row) => row.tabIndex === 0);
  const goTo = (index) => {
    if (at >= 0) rows[at].tabIndex = -1;
    at = index;
    rows[at].tabIndex = 0;
  };
  const backToRow = () => {
    if (at < 0) return;
    rows[at].focus();
    rows[at].scrollIntoView({ block: "nearest" });
  };
  const isHere = () => at >= 0 && rows[at].contains(document.activeElement);
  const move = (step) => {
    if (!rows.length) return;
    if (at >= 0 && !isHere()) { backToRow(); return; }
    goTo(Math.min(Math.max(at + step, 0), rows.length - 1));
    backToRow();
  };
  // Whoever goes on by the Tab key or the mouse goes on from there by keys too.
  document.addEventListener("focusin", (event) => {
    const index = rows.indexOf(event.target.closest("tr[data-row]"));
    if (index >= 0 && index !== at) goTo(index);
  });
  const here = (sel) => at >= 0 && $(sel, rows[at]);
  const press = (key) => {
    const target = here(`[data-rowkey="${CSS.escape(key)}"]`) || $(`[data-hotkey="${CSS.escape(key)}"]:not(:disabled)`);
    if (!target) return false;
    if (target.matches("input, textarea, select")) { target.focus(); target.select?.(); } else target.click();
    return true;
  };
  const part = (key) => {
    const box = at >= 0 && $$("[data-part]", rows[at])[Number(key) - 1];
    if (box) box.click();
    return Boolean(box);
  };
  const acts = {
    "?": () => { help?.showModal(); return true; },
    "/": () => { $("[data-search]")?.focus(); return true; },
    j: () => move(1),
    k: () => move(-1),
    x: () => here("input[type=checkbox]")?.click(),
  };
  for (let n = 1; n < 10; n++) acts[n] = () => part(n);
  let prefix = "";
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]), textarea, select, dialog[open]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return;
    if (prefix === "g") {
      prefix = "";
      $(`#nav a[data-key="${CSS.escape(event.key)}"]`)?.click();
      return;
    }
    if (event.key === "g") { prefix = "g"; return; }
    if (event.key === "Enter") {
      if (event.target.matches("tr")) here("a[data-open]")?.click();
      if (event.target.matches("[type=checkbox]")) event.preventDefault(); // it would press the first button of the form
      return;
    }
    const act = acts[event.key];
    if (act ? act() : press(event.key)) event.preventDefault();
  });
  $$("[data-help]").forEach((button) => button.addEventListener("click", () => help?.showModal()));
  $$("[data-keys]").forEach((box) => {
    box.checked = keysOn();
    box.addEventListener("change", () => remember("keys", box.checked ? "on" : "off"));
  });

  // The workspace: what is chosen and what it adds up to, panels, and the row that an action is about where none is chosen.
  const work = $("form[data-work]");
  if (work) {
    const digits = Number(work.dataset.work);
    const boxes = $$("input[name=break]", work);
    const all = $("input[name=all]", work);
    const sum = (list, read) => list.reduce((total, item) => total + BigInt(read(item)), 0n);
    const choices = () => boxes.map((box) => {
      const row = box.closest("tr");
      const parts = $$("[data-part]", row).filter((one) => one.checked);
      const side = (name) => (parts.length ? sum(parts.filter((one) => one.dataset.part === name), (one) => one.dataset.minor) : BigInt(box.dataset[name]));
      return { box, row, chosen: box.checked || parts.length > 0, bank: () => side("bank"), ledger: () => side("ledger") };
    });
    const words = (count, difference) => {
      if (!count) return "Nothing selected";
      return difference === 0n ? "Adds up: can be matched" : `Differs by ${decimal(difference, digits)}`;
    };
    const waiting = (chosen) => {
      const count = chosen.filter(({ box }) => "waits" in box.dataset).length;
      return count ? `Of ${chosen.length} selected ${count} would wait for approval.` : "";
    };
    let why = "";
    let difference = 0n;
    const show = () => {
      const every = choices();
      const chosen = every.filter((choice) => choice.chosen);
      every.forEach(({ row, chosen: is }) => row.classList.toggle("sel", is));
      const bank = sum(chosen, (choice) => choice.bank());
      const ledger = sum(chosen, (choice) => choice.ledger());
      difference = ledger - bank;
      why = words(chosen.length, difference);
      const told = $("[data-waits][role=status]", work);
      if (told && !all) told.textContent = waiting(chosen);
      $$("[data-check-all]", work).forEach((box) => {
        const group = boxes.filter((one) => one.dataset.group === box.dataset.checkAll);
        const ticked = group.filter((one) => one.checked).length;
        box.checked = ticked > 0 && ticked === group.length;
        box.indeterminate = ticked > 0 && ticked < group.length;
      });
      if (all || !$("[data-count]", work)) return;
      $("[data-count]", work).textContent = `${chosen.length} selected`;
      $("[data-sum=bank]", work).textContent = decimal(bank, digits);
      $("[data-sum=ledger]", work).textContent = decimal(ledger, digits);
      $("[data-sum=diff]", work).textContent = decimal(difference, digits);
      $("[data-why]", work).textContent = why;
    };
    // Without a choice an action is about the row that one is at.
    const choose = () => {
      if (all || !isHere() || choices().some((choice) => choice.chosen)) return;
      const box = here("input[name=break]");
      if (box) box.checked = true;
      show();
    };
    work.addEventListener("change", (event) => {
      const group = event.target.dataset.checkAll;
      if (group) boxes.filter((box) => box.dataset.group === group).forEach((box) => { box.checked = event.target.checked; });
      show();
    });
    work.addEventListener("click", (event) => {
      const button = event.target.closest("button[name=do]");
      if (!button) return;
      choose();
      const row = rows[at];
      $("[data-at]", work).value = row ? row.id.replace("b-", "") : "";
      if (button.matches("[data-match]") && difference !== 0n) {
        event.preventDefault();
        announce("");
        announce(why);
      }
    });

    // A panel opens at its first field; Enter sends it, Escape leads back to the row.
    const close = (panel) => { panel.open = false; backToRow(); };
    $$("a[data-panel]", work).forEach((link) => link.addEventListener("click", (event) => {
      event.preventDefault();
      choose();
      $$("details.panel", work).forEach((panel) => { panel.open = `#${panel.id}` === link.hash; });
      $(`${link.hash} :is(input, select)`, work).focus();
    }));
    $$("details.panel", work).forEach((panel) => panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { event.preventDefault(); close(panel); }
      if (event.key === "Enter" && event.target.matches("input, select")) {
        event.preventDefault();
        $("button[name=do]", panel).click();
      }
    }));
    const fit = () => $$("[data-when]", work).forEach((el) => {
      el.hidden = !el.dataset.when.split(" ").includes($("[name=resolution]", work).value);
    });
    if ($("[name=resolution]", work)) {
      $("[name=resolution]", work).addEventListener("change", fit);
      fit();
    }
    show();
  }
  $$("input[type=search][data-hotkey]").forEach((input) => input.addEventListener("keydown", (event) => { if (event.key === "Escape") backToRow(); }));

  // Menus made of <details> close on Escape and on a click elsewhere.
  const close = (except) => $$("details.menu[open]").forEach((menu) => { if (!except || !menu.contains(except)) menu.open = false; });
  document.addEventListener("click", (event) => close(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = event.target.closest?.("details.menu[open]");
    close();
    menu?.querySelector("summary")?.focus();
  });

  // A file that is dropped anywhere on the page is the one that is chosen.
  $$("form[data-drop]").forEach((form) => {
    const input = form.elements[form.dataset.drop];
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length !== 1) return;
      input.files = event.dataTransfer.files;
      announce(`${input.files[0].name} is chosen`);
    });
  });

  // A choice in a form that is read at once is sent as it is made, and the page that follows opens where this one was left.
  $$("form[data-reread]").forEach((form) => form.addEventListener("change", (event) => {
    if (!event.target.matches("select")) return;
    sessionStorage.setItem("reread", JSON.stringify({ path: location.pathname, id: event.target.id, y: scrollY }));
    form.requestSubmit();
  }));
  const reread = JSON.parse(sessionStorage.getItem("reread"));
  sessionStorage.removeItem("reread");
  const chosen = reread?.path === location.pathname && document.getElementById(reread.id);

  // Long work is followed while it goes on; without a script the page reloads itself. A server sends for some seconds only, and is asked again.
  const followed = $("[data-follow]");
  if (followed) {
    const events = new EventSource(followed.dataset.follow);
    events.addEventListener("step", (event) => { $("[data-step]", followed).innerHTML = event.data; });
    events.addEventListener("end", () => { events.close(); location.reload(); });
  }

  // An answer that refuses a form starts at its summary; what was done is told, and the work goes on at the next row.
  const done = $("[data-done]");
  if (done) setTimeout(() => announce(done.innerText.replace(/\s+/g, " ").trim()));
  if ($("[data-focus]")) $("[data-focus]").focus();
  else if (/[?&]at=/.test(location.search) || done) {
    if (at < 0) $("#main").focus(); else rows[at].focus({ preventScroll: true });
    if (at >= 0) rows[at].scrollIntoView({ block: "center" });
  }
  if (chosen) {
    const folded = chosen.closest("details");
    if (folded) folded.open = true;
    chosen.focus({ preventScroll: true });
    scrollTo(0, reread.y);
    announce($("[data-focus], #rows + p")?.innerText || "");
  }
})();
