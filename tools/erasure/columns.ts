/**
 * The effect of an erasure on each column that can hold something of a person: those of the types `text`, `jsonb`, `bytea` and `uuid`, and
 * lists of them. Left out are `store_id`, which names a shop, and columns that a constraint limits to a list of words. `chassis` has the
 * tables that every service has. As `table(column column)`. The certificate names the kept data.
 */
export interface Columns {
  readonly erased: string;
  readonly kept: Readonly<Record<string, string>>;
  /** Rows of merchants, their staff, and partners: the record of who did it, and of who sold it. */
  readonly ofTheBusiness: string;
  readonly ofNoPerson: string;
}

export const columns: Readonly<Record<string, Columns>> = {
  chassis: {
    erased: `
      dead_letter(payload)  outbox(data)`,
    kept: {
      'the number of someone whom nothing names any more': `
        erased_customer(customer_id)  outbox(aggregate_id customer_id)  dead_letter(subject)
        ignored_snapshot(object_id)  snapshot_version(object_id)  noted_change(key)  replay(by)`,
      'a stored response, for a request that is sent twice: a day': `
        idempotency_key(principal key fingerprint body)`,
      'what the log of refusals says, without values: seven days': `
        refusal(message request_id order_id trace_id)`,
      'what was done, in sentences without names': `
        erased_customer(steps)  dead_letter(error settled_by settled_reason)  replayed_event(detail)`,
    },
    ofTheBusiness: ``,
    ofNoPerson: `
      consumer_lease(token)  consumer_part(producer incarnations)  consumer_position(producer incarnations)
      dead_letter(event_id type)
      delivery_attempt(event_id)  idempotency_key(operation)  ignored_snapshot(type)  inbox(event_id type producer)
      job(name)  lost_range(producer)  outbox(event_id type correlation_id causation_id traceparent)
      refusal(operation code)  relay_incarnation(id)  replay(id type handler)  replayed_event(replay_id event_id type)
      snapshot_version(type digest)`,
  },
  gateway: {
    erased: ``,
    kept: {
      'a keyed hash, until its bucket is full': `
        bucket(key)`,
    },
    ofTheBusiness: ``,
    ofNoPerson: ``,
  },
  directory: {
    erased: `
      account(issuer subject person_id name)  session(id person_id issuer subject last_request first_request
      id_token_hash)  change(fields)`,
    kept: {
      'a profile without anyone in it, which replaces the old one': `
        object(data)`,
      'the number of someone whom nothing names any more': `
        change(by_id object_id)  data_access(chain by_id customer_id)  erasure(customer_id by_id)  object(id)`,
      'the record of the erasure itself, and of who read data: no names': `
        erasure(receipt reports)  data_access(request_id hash)  data_access_head(chain hash)`,
      'a list that an operator imports: a day': `
        import_part(entries plan result)`,
    },
    ofTheBusiness: `
      change(by_name)  invitation(email name language by_id by_name accepted_by)  picture(by_id bytes hash)
      staff_session(staff_id)  works_at(staff_id)  partner(name)`,
    ofNoPerson: `
      change(kind)  data_access(what)  import_part(import_id event_ids)  invitation(id request_id)
      object(last_request code)  owned_id(id)  partner(id scopes)  partner_secret(id partner_id hash)
      partner_store(partner_id)  staff_session(id request_id)  stream_position(fault)  tag(uid)`,
  },
  orders: {
    erased: `
      contact(customer_id name language)  delay_notice(request note)  log_entry(detail actor)  order_line(note)
      orders(table_number request_fingerprint device_hash address_hash)  refund(reason)  payment_customer(customer_id
      provider_id)  provider_call(reference idempotency_key provider_id)`,
    kept: {
      'the number of someone whom nothing names any more': `
        orders(customer_id)  log_entry(actor_id)`,
      'what leads to the payment at the provider, which has to keep it: refunds need it': `
        orders(payment_intent_id)  ledger(provider_ref)  ledger_difference(provider_ref)  refund(provider_refund_id)
        dispute(id)  payout_entry(transaction_id source_id)  provider_event(object_id)`,
      'the sale, which the law has a shop keep': `
        orders(id parent_order_id order_number collection_code promo_code promo_label voucher_id booking_ref slot_id award offline
        idempotency_key traceparent)  order_line(order_id menu_item_id name choices vat_parts)  ledger(reference)  part_payment(provider_ref reference)`,
    },
    ofTheBusiness: `
      drawer(opened_by_id opened_by_name closed_by_id closed_by_name note)  drawer_pay_out(reason by_id by_name)
      ledger(by_id)  part_payment(by_id returned_by_id)  menu_item(switched_by_id switched_by_name)  refund(by_id by_name)  seller(name legal_name address vat_number)
      store(address phone staff_pause_by_id staff_pause_by_name)  store_log_entry(by_id by_name)
      tip_list(shares entered_by_id entered_by_name)`,
    ofNoPerson: `
      connected_account(account_id reasons currently_due past_due)  day_report(figures items tips)
      day_statement(currency payout_ids proof)
      delay_notice(order_id)  dispute(order_id reason currency reversal_id repayment_id)  hold(order_id ref
      unproven_store_id)  drawer(id close_key)  drawer_pay_out(id drawer_id)  ledger(order_id currency drawer_id)  ledger_difference(kind order_id currency)  log_entry(order_id
      kind title)  menu_item(id name category description image_url allergens diet options vat)  orders(currency
      connected_account_id)  part_payment(order_id drawer_id returned_drawer_id)  payout(id account_id currency status failure)  payout_entry(payout_id order_id)
      printer(id name language token_hash request_key status_code)  promo(id code label)  provider_cursor(name)
      provider_event(id type)  ready_times(learned)  refund(id payment_order_id order_id attempt)  refund_line(refund_id order_id)
      seller(time_zone language)  slot(id)  store(id code name currency time_zone connected_account_id hours closures
      welcome_message position pace)  store_account(account_id reasons)  store_log_entry(menu_item_id item_name)  ticket(printer_id
      order_id job_token failed_code)  tip_list(id proof)`,
  },
  loyalty: {
    erased: `
      customer(id name email phone identity_user_id memberships)  membership(customer_id plan_name)  device_use(device customer_id)  stamp_code(device
      location_info)  stamp(source receipt_id)`,
    kept: {
      'the number of someone whom nothing names any more': `
        card(customer_id)  log_entry(customer_id)  multi_stamp_request(customer_id)  order_ledger(customer_id)
        stamp(customer_id)  stamp_code(customer_id)  visit(customer_id)  voucher(customer_id)`,
      'a card and its vouchers, of which the figures of a store are made': `
        voucher(code)  stamp(order_id request_id visit_ref grant_key approval_reason code_id)  stamp_code(hash
        idempotency_key_hash source tag_uid)`,
      'what staff looked for, masked to a letter or two digits: 90 days': `
        look_up(asked)`,
    },
    ofTheBusiness: `
      log_entry(by_id by_name)  look_up(by_id by_name)  multi_stamp_request(confirmed_by)  staff(id cards name
      revoked_sessions stores)  stamp(by_id by_name)  voucher(redeemed_by_id redeemed_by_name)`,
    ofNoPerson: `
      dispute(order_id dispute_id)  log_entry(stamp_id voucher_id)  multi_stamp_request(id voucher_ids)
      nfc_tap(tag_uid)  order_ledger(order_id award programme_id)  programme(reward_title reward_unlock_message reward
      voucher_type plan_key settings)  programme_store(programme_id)  stamp(id voucher_id at_store_id)  stamp_code(id)
      store(id code name currency time_zone branding)  tag(uid key_version)  visit(ref)  voucher(id reward_title
      voucher_type reward completing_stamp_id reserved_by_order redeemed_by_order restored_from_order)`,
  },
  queue: {
    erased: `
      customer(id name)  entry(guest_name guest_phone)  log_entry(detail)  session_booking(guest_name guest_phone)`,
    kept: {
      'the number of someone whom nothing names any more': `
        entry(customer_id)  session_booking(customer_id)`,
      'the hash of a guest’s address, only while no customer has the place': `
        entry(address_hash)  session_booking(address_hash)`,
    },
    ofTheBusiness: `
      entry(by_id by_name)  log_entry(by_id by_name)  session_booking(by_id by_name)  walk_ins(by_id by_name)`,
    ofNoPerson: `
      booking(id unit_id)  deposit(booking_id item_id order_id)  entry(id entry_id service_id preferred_unit_id appointment_id ended_from)  floor(services
      units address_key)  log_entry(entry_ref booking_ref status hash)  seat(appointment_id entry_ref unit_id)  session(id unit_id
      service_id)  session_booking(id appointment_id session_id ended_from)  store(id name time_zone hours
      closures booking_deposit_item_id)  weekly_class(id service_id unit_id days begins)  weekly_class_day(weekly_class_id session_id)`,
  },
  notifications: {
    erased: `
      customer(id name email phone push_devices language)  typed_address(customer_id address first_message)  device(id
      customer_id address keys name)  gone_device(customer_id device_id)  preference(customer_id)
      marketing_ask(customer_id switched_on)  campaign_recipient(customer_id)  written_message(customer_id text)  texted_number(number customer_id entry_ref)  text_answer(id customer_id entry_ref text)  consent(customer_id wording locale)  interaction(customer_id)
      message(id event_id customer_id contact_id entry_ref template data topic reason sent_channel traceparent)  pass(serial
      customer_id voucher_id auth_token)  pass_card(customer_id)  pass_voucher(voucher_id customer_id reward_title)
      pass_device(device_id serial push_token)  pass_update(serial)`,
    kept: {
      'the number of someone whom nothing names any more': `
        topic(key)`,
      'the keyed hash of an address that wants no mail, or had some: else it would be mailed again': `
        refused_address(address)  mail_count(address last_message)`,
      'the keyed hash of a number that stopped or allowed texts, with the word: else it would get texts again': `
        text_consent(text_id number word)`,
      'what a store’s own server was sent, with numbers alone: 30 days': `
        waiting_event(data object)  webhook_event(body object)`,
    },
    ofTheBusiness: `
      campaign(by_id by_name title body)  written_message(by_id by_name)  contact(id email phone push_devices)  store(name vat_number contact_email)  webhook(url description)
      webhook_host(host)`,
    ofNoPerson: `
      written_message(id)  campaign(id audience last_customer_id results)  campaign_recipient(campaign_id)  pass_design(name logo_url background reward_title)  programme_store(programme_id)  stamp_review(stamp_id)  store(id time_zone currency
      language)  topic(lease_token)  waiting_event(webhook_id event_id type)  webhook(id types request_key
      rotation_key lease_token challenge)  webhook_event(webhook_id event_id type detail)`,
  },
};

/** To these tables nothing of an erased customer comes without a trigger of theirs. */
export const guardedElsewhere: Readonly<Record<string, string>> = {
  'orders.payment_customer': 'is written for an order, which is refused',
  'orders.provider_call': 'is written for an order, which is refused',
  'notifications.pass_device': 'is of a pass, which is refused',
  'notifications.pass_update': 'is of a pass, which is refused',
};
