"""Every clock of chapter 90 as one table: the rule, how it counts, how long, what starts it, what is due."""

from portal.ordinance.citation import Rule
from portal.ordinance.deadlines import Kind, Period

PRESENT_CERTIFICATE = Period(
    Rule.CERTIFICATE, Kind.ACT_BY, 7, "the officer's demand", "show the rabies certificate to the police"
)
REQUEST_HEARING = Period(
    Rule.HEARING_REQUEST, Kind.ACT_BY, 14, "the date on the notice", "ask for a hearing about the declaration"
)
HOLD_HEARING = Period(Rule.HEARING, Kind.ACT_BY, 14, "the request", "hold the hearing")
DECIDE_HEARING = Period(Rule.HEARING, Kind.ACT_BY, 10, "the hearing", "issue the decision")
COMPLY_AFTER_HEARING = Period(
    Rule.COMPLY_AFTER_HEARING, Kind.ACT_BY, 14, "receipt of the decision", "meet the dangerous-dog requirements"
)
REPORT_DEATH_OR_TRANSFER = Period(
    Rule.DEATH_OR_TRANSFER, Kind.ACT_BY, 30, "the death or transfer", "tell animal control in writing"
)
STERILIZE = Period(Rule.STERILIZATION, Kind.ACT_BY, 30, "the final determination", "have the dog sterilized")
MEET_REQUIREMENTS = Period(
    Rule.UNMET_REQUIREMENTS, Kind.ACT_BY, 14, "the day the notice was sent", "meet the dangerous-dog requirements"
)
RECLAIM_DANGEROUS_DOG = Period(Rule.RECLAIM, Kind.ACT_BY, 14, "the seizure", "reclaim the dog")
RECLAIM_BY_STATE_LAW = Period(Rule.STATE_DANGEROUS_SEIZURE, Kind.ACT_BY, 7, "the seizure", "reclaim the dog")
RECLAIM_AFTER_HEARING = Period(
    Rule.RECLAIM_AGAIN, Kind.ACT_BY, 14, "the day the owner was told that it may be reclaimed", "reclaim the dog"
)
POST_SECURITY = Period(Rule.SECURITY, Kind.ACT_BY_INCLUSIVE, 7, "the seizure", "post security for the dog's care")
ANNOUNCE_RELOCATION = Period(
    Rule.RELOCATION, Kind.NOTICE_BEFORE, 14, "the move, gift or sale", "tell animal control in writing"
)
IMPOUND_HOLD = Period(Rule.IMPOUND_HOLD, Kind.MIN_HOLD, 5, "impounding", "keep the animal for its owner")
QUARANTINE = Period(Rule.QUARANTINE, Kind.MIN_CONFINEMENT, 10, "the exposure", "keep the animal confined")
REPORT_FOUND_ANIMAL = Period(Rule.FOUND_ANIMAL, Kind.HOURS, 2, "the confining of the animal", "tell the police")
REMOVE_DEAD_ANIMAL = Period(Rule.DEAD_ANIMAL, Kind.HOURS, 12, "the death", "have the body taken away")
PUPPY = Period(Rule.LICENSE, Kind.MONTHS, 6, "the birth", "license the dog once it is over this age")
LITTER = Period(Rule.KENNEL, Kind.MONTHS, 3, "the birth of the litter", "keep the pups without counting them")
VACCINATION = Period(Rule.VACCINATION, Kind.YEARS, 3, "the vaccination", "vaccinate again")
FIRST_REVIEW = Period(Rule.DESIGNATION_REVIEW, Kind.MONTHS, 6, "the declaration", "ask for a review from this day")
NEXT_REVIEW = Period(Rule.DESIGNATION_REVIEW, Kind.YEARS, 1, "the last request", "ask for a review from this day")
RENEW_REGISTRATION = Period(
    Rule.DANGEROUS_RENEWAL, Kind.YEARS, 1, "the first day of the registration", "renew the registration"
)
